import { StdioCalls } from '../proxy/stdio/stdio-calls.ts';
import type { Recording } from '../proxy/recording/recorder.ts';
import type { LinesObserver } from '../serving/stdio-host.ts';
import { toOrigin } from './record-callers.ts';

/** The recording of one caller over standard input and output. */
export interface LinesRecording extends LinesObserver {
  /** Ends the calls that were not answered. */
  end(): void;
}

/** Records the messages of a caller, each as a call that the agent's calls belong to. */
export function recordLines(recording: Recording): LinesRecording {
  const facts = { line: `bridge ${recording.agent}`, cwd: process.cwd(), pid: process.pid };
  const calls = new StdioCalls(recording, facts);
  return {
    received(line) {
      const [call] = calls.sent(pieceOf(line));
      return {
        origin: call && toOrigin(call.tracker.call, call.trace, call.sign),
        note: text => {
          if (call && !call.tracker.hasEnded) call.tracker.note(text);
        },
      };
    },
    sent: line => calls.came(pieceOf(line)),
    end: () => calls.end(CLOSED, { status: 'ok' }),
  };
}

function pieceOf(line: string): Parameters<StdioCalls['sent']>[0] {
  const kind = /^\s*[{[]/.test(line) ? 'message' : 'foreign';
  return { kind, bytes: Buffer.from(line).toString('latin1') };
}

const CLOSED = {
  status: 'cancelled',
  code: 'CALLER_GONE',
  message: 'The caller closed its output before the reply was complete',
} as const;
