import { message, type Message } from '../../core/message/message.ts';
import { floatValue, intValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import type { ServedReply } from '../../protocols/serving/serving.ts';
import { putRecent } from '../recent.ts';
import { dict, failAicl, numberIn, numbersIn } from './aicl-values.ts';
import { reply } from './served.ts';

/** More open reports end the oldest ones. */
const MAX_REPORTS = 1000;
/** The seconds that a caller has for an answer (LightAICL 1.0, section 9.2). */
const TIMEOUT = 30;

/** The number of temperatures of a report that waits for their mean; undefined for one that waits for its data. */
type OpenReport = number | undefined;

/**
 * The collaboration of LightAICL 1.0, section 5.1: for a report, the agent asks its caller for the data, then for
 * the result of a tool, and answers when it has both. One report per session.
 */
export class Reports {
  readonly #open = new Map<string, OpenReport>();

  /** Begins a report: asks for its data. */
  begin(session: string): ServedReply {
    const asked = { query: textValue('temperatures'), format: textValue('list') };
    return this.#ask(session, undefined, message('query', asked));
  }

  /** Takes the answer to what was asked. */
  answer(session: string, { kind, fields }: Message): ServedReply {
    const count = this.#open.get(session);
    this.#open.delete(session);
    if (kind === 'error') {
      const why = textIn(fields.data) ?? textIn(fields.text);
      const missing = count === undefined ? 'data' : 'mean';
      return failAicl(5000, `No report without the ${missing}${why === undefined ? '' : `: ${why}`}`);
    }
    return count === undefined ? this.#takeData(session, fields.data) : takeMean(count, fields.data);
  }

  #takeData(session: string, data: Value | undefined): ServedReply {
    const count = numbersIn(data)?.length;
    if (!data || count === undefined)
      return failAicl(4001, "The temperatures should be a list of numbers in 'data'");
    const call = {
      tool: textValue('stats.mean'),
      arguments: dict({ values: data }),
      timeout: intValue(TIMEOUT),
    };
    return this.#ask(session, count, message('call', call));
  }

  #ask(session: string, report: OpenReport, request: Message): ServedReply {
    putRecent(this.#open, session, report, MAX_REPORTS);
    return {
      ...reply(message('result', { data: textValue('') })),
      question: 'the data of the report',
      request,
    };
  }
}

function takeMean(count: number, data: Value | undefined): ServedReply {
  const mean = numberIn(data);
  if (mean === undefined) return failAicl(4001, "The mean should be a number in 'data'");
  const report = textValue(`${count} temperatures with a mean of ${mean} degrees`);
  return reply(
    message('result', {
      data: dict({ report, mean: floatValue(mean) }),
      metadata: dict({ agent: textValue('analyst') }),
    }),
  );
}
