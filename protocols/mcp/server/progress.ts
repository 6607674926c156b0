import type { Message, ProgressStep } from '../../../core/message/message.ts';
import {
  findEntry,
  floatValue,
  intValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Channel } from './caller.ts';
import { writeNotification } from './frames.ts';

/** Reports how far a call is to a caller that wants to know it, with the texts of the reply as they arrive. */
export class Progress {
  readonly #token: Value | undefined;
  readonly #channel: Channel;
  #done = 0;
  /** True once texts of the reply were reported, each as a step. */
  #hasTexts = false;

  constructor(params: DictValue, channel: Channel) {
    const token = findEntry(findEntry(params, '_meta'), 'progressToken');
    this.#token = token?.kind === 'text' || token?.kind === 'int' ? token : undefined;
    this.#channel = channel;
  }

  /** Chunks of the reply: their texts are reported, and all of them are in the result. */
  take(chunks: readonly Message[]): void {
    for (const { fields } of chunks) {
      const text = fields.event ? undefined : textIn(fields.data);
      if (!text) continue;
      this.#hasTexts = true;
      this.#send(this.#done + 1, undefined, text);
    }
  }

  step({ done, total, message }: ProgressStep): void {
    // Progress only grows, and the agent does not count the texts.
    this.#send(this.#hasTexts && done <= this.#done ? this.#done + 1 : done, total, message);
  }

  #send(done: number, total: number | undefined, message: string | undefined): void {
    if (!this.#token) return;
    this.#done = done;
    const params = dictOf({
      progressToken: this.#token,
      progress: numberValue(done),
      total: total === undefined ? undefined : numberValue(total),
      message: message === undefined ? undefined : textValue(message),
    });
    this.#channel.send?.(writeNotification('notifications/progress', params));
  }
}

function numberValue(number: number): Value {
  return Number.isSafeInteger(number) ? intValue(number) : floatValue(number);
}
