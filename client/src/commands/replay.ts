import { isRecord } from '../../../core/guard.ts';
import { showWarning } from '../messages.ts';
import { replayFrom, type ReplayChoice } from '../replay/replay.ts';
import { findCallPlace } from './call-place.ts';
import type { Command } from './command.ts';

/**
 * Sends recorded requests again and shows the recording beside what came: of the call of a row or an id, else of the one that is
 * selected in the trace file in front or in the Traces view. A second argument `{ scope, agent, question }` asks less;
 * `{ agents: 'same' }` takes for each request the agent of the recorded name, and `{ pace: 'recorded' }` keeps the recorded
 * pauses. Answers what came of it.
 */
export const replayCall: Command = (services, [target, choice]) => {
  const place = findCallPlace(services, target);
  if (place) return replayFrom(services, place, readChoice(target, choice));
  showWarning('There is no call to replay yet. Send a request, or open a file with traces.', new Map());
  return undefined;
};

const SCOPES = ['call', 'subtree', 'trace'] as const;

function readChoice(target: unknown, value: unknown): ReplayChoice {
  // The row of a trace that began with several calls stands for all of them.
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
