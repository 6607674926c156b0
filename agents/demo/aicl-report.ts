import type { AiclValue } from './aicl-values.ts';
import { dict, error, float, int, list, message, text } from './aicl-writer.ts';

/** Milliseconds without a message after which a session ends (LightAICL 1.0, section 9.2). */
const SESSION_TIMEOUT = 30_000;

type Fields = ReadonlyMap<string, AiclValue>;

/** A report that waits for an answer: for its data, then for the result of a tool. */
interface OpenReport {
  readonly wants: 'data' | 'mean';
  readonly count: number;
  readonly since: number;
}

/**
 * The collaboration of LightAICL 1.0, section 5.1: for a report, the agent asks its caller for the data, then for
 * the result of a tool, and answers when it has both. One report per session; it ends after 30 s without a message.
 */
export class Reports {
  readonly #open = new Map<string, OpenReport>();
  readonly #now: () => number;

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Begins a report: asks for its data. */
  begin(session: string): string {
    this.#wait(session, 'data', 0);
    return message(session, 'data_query', [
      ['query', text('temperatures')],
      ['data_format', text('list')],
    ]);
  }

  /** Takes the answer to what was asked. */
  answer(session: string, type: 'result' | 'error', fields: Fields): string {
    const report = this.#take(session);
    if (!report) return error(session, 1000, 'This agent waits for nothing in this session; send a request');
    if (type === 'error') {
      const reason = fields.get('detail') ?? fields.get('reason');
      const why = typeof reason === 'string' ? `: ${reason}` : '';
      return error(session, 5000, `No report without the ${report.wants}${why}`);
    }
    const data = fields.get('data');
    return report.wants === 'data'
      ? this.#takeData(session, data)
      : this.#takeMean(session, report.count, data);
  }

  #takeData(session: string, data: AiclValue | undefined): string {
    if (!Array.isArray(data) || data.length === 0 || !data.every(item => typeof item === 'number'))
      return error(session, 4001, "The temperatures should be a list of numbers in 'data'");
    this.#wait(session, 'mean', data.length);
    return message(session, 'tool_call', [
      ['tool', text('stats.mean')],
      [
        'params',
        dict([['values', list(data.map(item => (Number.isInteger(item) ? int(item) : float(item))))]]),
      ],
      ['timeout', int(SESSION_TIMEOUT / 1000)],
    ]);
  }

  #takeMean(session: string, count: number, data: AiclValue | undefined): string {
    if (typeof data !== 'number') return error(session, 4001, "The mean should be a number in 'data'");
    return message(session, 'result', [
      [
        'data',
        dict([
          ['report', text(`${count} temperatures with a mean of ${data} degrees`)],
          ['mean', float(data)],
        ]),
      ],
      ['metadata', dict([['agent', text('analyst')]])],
    ]);
  }

  #wait(session: string, wants: OpenReport['wants'], count: number): void {
    this.#open.set(session, { wants, count, since: this.#now() });
  }

  /** Removes the report of a session, and all that have ended. */
  #take(session: string): OpenReport | undefined {
    for (const [name, { since }] of this.#open)
      if (this.#now() - since > SESSION_TIMEOUT) this.#open.delete(name);
    const report = this.#open.get(session);
    this.#open.delete(session);
    return report;
  }
}
