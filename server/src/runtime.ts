import type { LanguageId } from '../../protocol/src/catalog/languages.ts';
import type { LanguageSupport } from '../../protocol/src/language/support.ts';

/** A timer that can be taken back before it fires. */
export interface RunningTimer {
  cancel(): void;
}

/**
 * What the server takes from the place where it runs: a Node process, a web worker or a test.
 * The server itself knows no clock and no process.
 */
export interface Runtime {
  readonly languages: Readonly<Record<LanguageId, LanguageSupport>>;
  /** Resolves after the messages that already arrived had their turn. */
  yieldToQueue(): Promise<void>;
  /** Calls back once after so many milliseconds. */
  startTimer(milliseconds: number, callback: () => void): RunningTimer;
}
