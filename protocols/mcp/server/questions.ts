import { parseJson } from '../../../core/text/json.ts';
import { quote } from '../../../core/text/quote.ts';
import { asList, readFields } from '../../../core/text/fields.ts';
import {
  NEVER_STOPPED,
  type AddressQuestion,
  type AgentQuestions,
  type ApprovalQuestion,
  type FormAnswer,
  type FormQuestion,
  type RelayedQuestion,
  type SamplingQuestion,
  type StopSignal,
} from '../../../core/message/message.ts';
import {
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { printForAgent } from '../../../language/values/json-printer.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Answer } from './frames.ts';
import { declares } from './versions.ts';

/** How questions reach the caller of a request. */
export interface Asking {
  /** What the caller declared that it can be asked. */
  readonly capabilities: Value | undefined;
  /** Sends a question and waits for the answer; undefined where the caller cannot be asked or the question is over. */
  ask(method: string, params: DictValue | undefined, signal: StopSignal): Promise<Answer | undefined>;
  note(text: string): void;
  readonly newId: () => string;
}

/**
 * Passes the questions of an agent to its caller as MCP has them: forms and addresses (elicitation), texts of a model
 * (sampling), folders (roots). What the caller does not take is declined and noted.
 */
export class CallerQuestions implements AgentQuestions {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async fillForm({ message, schema }: FormQuestion, signal: StopSignal): Promise<FormAnswer> {
    const requestedSchema = readWrittenJson(JSON.stringify(schema));
    const params = dictOf({ message: textValue(message), requestedSchema });
    const answer = await this.#ask(ELICIT, params, signal, 'form');
    const action = answer?.get('action');
    if (action !== 'accept') return { action: action === 'cancel' ? 'cancel' : 'decline' };
    return { action, content: Object.fromEntries(readForm(answer?.get('content'))) };
  }

  async openAddress(
    { message, url }: AddressQuestion,
    signal: StopSignal,
  ): Promise<'accept' | 'decline' | 'cancel'> {
    const params = dictOf({
      mode: textValue('url'),
      message: textValue(message),
      url: textValue(url),
      elicitationId: textValue(this.#asking.newId()),
    });
    const action = (await this.#ask(ELICIT, params, signal, 'url'))?.get('action');
    return action === 'accept' || action === 'cancel' ? action : 'decline';
  }

  async writeText(question: SamplingQuestion, signal: StopSignal): Promise<string | undefined> {
    const { messages, systemPrompt, maxTokens = MAX_TOKENS } = question;
    const params = dictOf({
      messages: listValue(
        messages.map(({ role, text }) =>
          dictOf({
            role: textValue(role),
            content: dictOf({ type: textValue('text'), text: textValue(text) }),
          }),
        ),
      ),
      systemPrompt: systemPrompt === undefined ? undefined : textValue(systemPrompt),
      maxTokens: intValue(maxTokens),
    });
    const content = (await this.#ask('sampling/createMessage', params, signal))?.get('content');
    const blocks = Array.isArray(content) ? asList(content) : [content];
    const texts = blocks.map(block => readFields(block)?.get('text')).filter(isText);
    return texts.length === 0 ? undefined : texts.join('\n');
  }

  async approve({ tool, arguments: given }: ApprovalQuestion, signal: StopSignal): Promise<boolean> {
    const message = `May the agent run ${quote(tool)} with the arguments ${given}?`;
    const answer = await this.fillForm({ agent: '', message, schema: APPROVAL }, signal);
    return answer.action === 'accept' && answer.content[APPROVED] === true;
  }

  async listRoots(): Promise<readonly { readonly uri: string; readonly name: string }[]> {
    const answer = await this.#ask('roots/list', undefined, NEVER_STOPPED);
    return asList(answer?.get('roots')).flatMap(root => {
      const fields = readFields(root);
      const [uri, name] = [fields?.get('uri'), fields?.get('name')];
      return isText(uri) ? [{ uri, name: isText(name) ? name : uri }] : [];
    });
  }

  async relay({ method, params }: RelayedQuestion, signal: StopSignal): Promise<unknown> {
    const given = readWrittenJson(JSON.stringify(params ?? null));
    const mode = textIn(findEntry(given, 'mode')) ?? 'form';
    const answer = await this.#ask(
      method,
      given?.kind === 'dict' ? given : undefined,
      signal,
      method === ELICIT ? mode : undefined,
    );
    return answer && Object.fromEntries(answer);
  }

  /** The result of a question; undefined if the caller did not answer it. */
  async #ask(
    method: string,
    params: DictValue | undefined,
    signal: StopSignal,
    mode?: string,
  ): Promise<ReadonlyMap<string, unknown> | undefined> {
    const { capabilities } = this.#asking;
    const name = method.slice(0, method.indexOf('/'));
    const wanted = mode === undefined ? name : `${name}.${mode}`;
    if (!declares(capabilities, name, mode)) {
      this.#asking.note(
        `The agent's question ${method} was declined: the caller did not declare the capability ${wanted}`,
      );
      return undefined;
    }
    const answer = await this.#asking.ask(method, params, signal);
    if (!answer) {
      this.#asking.note(`The agent's question ${method} was declined: the caller did not answer it`);
      return undefined;
    }
    if (answer.kind === 'result') return readFields(parseJson(printForAgent(answer.body)));
    this.#asking.note(`The caller refused the agent's question ${method}: ${printForAgent(answer.body)}`);
    return undefined;
  }
}

const ELICIT = 'elicitation/create';
/** The limit for a text of a model where the agent sets none. */
const MAX_TOKENS = 4096;

const APPROVED = 'approved';
const APPROVAL = {
  type: 'object',
  properties: { [APPROVED]: { type: 'boolean', title: 'Run it' } },
  required: [APPROVED],
};

/** The only member of the form for a question in words. */
const ANSWER = 'answer';

/** Asks a question in words as a form with one text; undefined if it is not answered. */
export async function askInWords(
  questions: AgentQuestions | undefined,
  question: string,
  signal: StopSignal,
): Promise<string | undefined> {
  const schema = {
    type: 'object',
    properties: { [ANSWER]: { type: 'string', title: 'Answer' } },
    required: [ANSWER],
  };
  const filled = await questions?.fillForm({ agent: '', message: question, schema }, signal);
  const answer = filled?.action === 'accept' ? filled.content[ANSWER] : undefined;
  return isText(answer) ? answer : undefined;
}

type FormValue = string | number | boolean | readonly string[];

function readForm(content: unknown): readonly (readonly [string, FormValue])[] {
  const values: (readonly [string, FormValue])[] = [];
  for (const [name, value] of readFields(content) ?? []) {
    if (isText(value) || typeof value === 'number' || typeof value === 'boolean') values.push([name, value]);
    if (Array.isArray(value)) values.push([name, asList(value).filter(isText)]);
  }
  return values;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
