import { isCounts, type Counts } from '../test/counts.ts';

/** The prefix of lines from tests, which distinguishes them from other output on the workbench's console. */
export const LINE_PREFIX = '[parley-test] ';
/** The prefix of the last such line, which has the counts as JSON. */
export const COUNTS_PREFIX = '[parley-test-counts] ';

/** The variable that names a file for the counts, for a desktop VS Code whose console is not available. */
export const HOST_COUNTS_VARIABLE = 'PARLEY_HOST_COUNTS';

/** Separates the reporter's lines from other console output. */
export class HostLines {
  counts: Counts | undefined;
  readonly counted: Promise<void>;
  readonly #print: (line: string) => void;
  readonly #noise: string[] = [];
  readonly #resolve: () => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.counted = promise;
    this.#resolve = resolve;
  }

  /** Adds the arguments of a console call, which the workbench may nest in arrays. */
  add(args: unknown): void {
    const text = [args].flat(2).map(String).join(' ');
    for (const line of text.split('\n')) this.#addLine(line);
  }

  #addLine(line: string): void {
    const counts = after(line, COUNTS_PREFIX);
    const ours = after(line, LINE_PREFIX);
    if (counts !== undefined) this.#setCounts(counts);
    else if (ours !== undefined) this.#print(ours);
    else this.#noise.push(line);
  }

  #setCounts(json: string): void {
    const value: unknown = JSON.parse(json);
    if (isCounts(value)) this.counts = value;
    this.#resolve();
  }

  /** The last lines of other output. */
  noise(): string {
    return this.#noise.slice(-40).join('\n');
  }
}

/**
 * The rest of a line after a mark, which the console may
 * prefix with its own text; undefined if the mark is missing.
 */
function after(line: string, mark: string): string | undefined {
  const at = line.indexOf(mark);
  return at < 0 ? undefined : line.slice(at + mark.length);
}
