import type { Message } from '../../core/message/message.ts';
import type { Span } from '../../core/text/span.ts';
import type { ToolTable } from '../../language/tools.ts';

/** A message of a text. */
export interface SourceMessage {
  readonly message: Message;
  readonly protocol: string;
  /** Its span; for one of several in a list, that of the list unless places are recorded. */
  readonly span: Span;
  /** The known tools of the agent that a call is for, if the text names agents. */
  readonly tools?: ToolTable | undefined;
}

export interface SourceText {
  readonly messages: readonly SourceMessage[];
  /** The known tools: those of the options, and those that the messages declare. */
  readonly tools: ToolTable;
}

/** Receives the messages of a text one by one, as each is read. */
export interface MessageTaker {
  take(message: SourceMessage): void;
}
