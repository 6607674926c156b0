import type { RunningWords } from '../running-status.ts';
import type { RecordingInfo } from './recording-service.ts';

/** What the status bar says of what is recorded; undefined where nothing is. */
export function describeRecordings(running: readonly RecordingInfo[]): RunningWords | undefined {
  const [first] = running;
  if (!first) return undefined;
  const what = running.length === 1 ? first.agent : `${running.length} agents`;
  return {
    text: `Recording ${what}`,
    icon: 'record',
    tooltip: `${running.map(({ agent, address }) => `${agent}: ${address}`).join('\n')}\nClick to stop`,
    label: `Recording ${what}; stop it`,
  };
}
