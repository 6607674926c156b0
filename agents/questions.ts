/** What an agent asks the user while a call is open. The user may decline each question. */
export interface AgentQuestions {
  /** Values for a form (MCP elicitation, `form`): a JSON Schema of plain values. */
  fillForm(question: FormQuestion, signal: AbortSignal): Promise<FormAnswer>;
  /** A visit to an address (MCP elicitation, `url`); the answer is whether the user agreed to open it. */
  openAddress(question: AddressQuestion, signal: AbortSignal): Promise<'accept' | 'decline' | 'cancel'>;
  /** A text that a model would write (MCP sampling); undefined if the user declines. */
  writeText(question: SamplingQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Permission to run a tool (Agent API, approval requests). */
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<boolean>;
  /** The folders that the agent may know of (MCP roots), as `file:` URIs. */
  listRoots(agent: string): Promise<readonly { readonly uri: string; readonly name: string }[]>;
}

export interface FormQuestion {
  readonly agent: string;
  readonly message: string;
  /** A JSON Schema of an object whose properties are texts, numbers, booleans and enumerations. */
  readonly schema: unknown;
}

export type FormAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, string | number | boolean | readonly string[]>>;
    }
  | { readonly action: 'decline' | 'cancel' };

export interface AddressQuestion {
  readonly agent: string;
  readonly message: string;
  readonly url: string;
}

export interface SamplingQuestion {
  readonly agent: string;
  /** The instructions for the model, which precede the messages. */
  readonly systemPrompt: string | undefined;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly maxTokens: number | undefined;
}

export interface ApprovalQuestion {
  readonly agent: string;
  readonly tool: string;
  /** The arguments as JSON text. */
  readonly arguments: string;
}
