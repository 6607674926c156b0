import { isRecord } from '../../../../../core/guard.ts';
import { showWarning } from '../../../window/messages.ts';
import { replayFrom, type ReplayChoice } from './replay.ts';
import { findRetryDelay, sendAfter } from '../../../sending/retry.ts';
import { findCallPlace } from '../call-place.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';

/**
 * Sends recorded requests again and compares the replies with the recording. The call is that of a row or an
 * id, else the selected one of the trace file in front or of the Traces view. A second argument
 * `{ scope, agent, question }` skips questions; `{ agents: 'same' }` uses the agent of each recorded name,
 * and `{ pace: 'recorded' }` keeps the recorded pauses. Returns the result.
 */
export const replayCall: Command<TracesParts> = (services, [target, choice]) => {
  const place = findCallPlace(services, target);
  if (place) return replayFrom(services, place, readChoice(target, choice));
  return showWarning('There is no call to replay yet. Send a request, or open a file with traces.');
};

/**
 * Sends a recorded request again to its agent, without questions, and compares the reply with the recorded one: that of a row or an
 * id, else the selected one, else the newest. Waits first if the agent asked for it. Returns the result.
 */
export const sendAgain: Command<TracesParts> = (services, [target]) => {
  const place = findCallPlace(services, target);
  const node = place?.source.find(place.call);
  if (!place || !node) return showWarning('This call is not stored, so its request cannot be sent again.');
  return sendAfter(findRetryDelay(node, Date.now()), node.call.agent, () =>
    replayFrom(services, place, { scope: 'call', agent: 'recorded', question: 'unasked' }),
  );
};

const SCOPES = ['call', 'subtree', 'trace'] as const;

function readChoice(target: unknown, value: unknown): ReplayChoice {
  // The row of a trace with several root calls represents all of them.
  const isTraceRow = isRecord(target) && target['kind'] === 'trace';
  const given = isRecord(value) ? value : {};
  const scope = isTraceRow ? 'trace' : SCOPES.find(each => each === given['scope']);
  const agent = given['agent'];
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(typeof agent === 'string' ? { agent: { name: agent } } : {}),
    ...(given['pace'] === 'recorded' ? { pace: 'recorded' as const } : {}),
    ...(given['agents'] === 'same' ? { agent: 'recorded' as const } : {}),
    question: given['question'] === 'unasked' ? 'unasked' : 'asked',
  };
}
