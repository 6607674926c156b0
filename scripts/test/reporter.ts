import {
  reporters,
  type Hook,
  type MochaOptions,
  type ReporterConstructor,
  type Runner,
  type Test,
} from 'mocha';
import { pickSlowest, type Counts, type TimedTest } from './counts.ts';

/** Receives the lines and the result of a run: a terminal, or the console of an extension host. */
export interface ReporterSink {
  line(text: string): void;
  done(counts: Counts): void;
}

/** Joins titles from the outermost suite inwards. */
const TITLE_SEPARATOR = ' › ';

/**
 * The mocha reporter of this project: prints failures in full and nothing for passing tests, and returns the
 * counts. A failing hook counts as one failure.
 */
export function createReporter(sink: ReporterSink): ReporterConstructor {
  return class Reporter extends reporters.Base {
    #passed = 0;
    #failed = 0;
    #slowest: readonly TimedTest[] = [];

    constructor(runner: Runner, options: MochaOptions) {
      super(runner, options);
      runner.on('pass', () => (this.#passed += 1));
      runner.on('fail', (test, error) => {
        this.#failed += 1;
        for (const line of describeFailure(test, error)) sink.line(line);
      });
      runner.on('test end', test => this.#time(test));
      runner.on('hook end', hook => this.#time(hook));
      runner.once('end', () =>
        sink.done({ passed: this.#passed, failed: this.#failed, slowest: this.#slowest }),
      );
    }

    #time(test: Test | Hook): void {
      const { duration: milliseconds = 0 } = test;
      this.#slowest = pickSlowest([...this.#slowest, { title: titleOf(test), milliseconds }]);
    }
  };
}

function titleOf(test: Test | Hook): string {
  return test.titlePath().join(TITLE_SEPARATOR);
}

function describeFailure(test: Test, error: unknown): readonly string[] {
  const where = test.file === undefined ? [] : [`    in ${test.file}`];
  return [`✗ ${titleOf(test)}`, ...where, ...indent(describeError(error)), ''];
}

/** The message, difference and stack of an error; an assertion's message already contains its difference. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const stack = error.stack ?? '';
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}

function indent(text: string): readonly string[] {
  return text.split('\n').map(line => `    ${line}`);
}
