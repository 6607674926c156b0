import type { RunningWords } from '../../window/running-status.ts';
import type { RecordingInfo } from '../../services/recording-service.ts';

/** The status bar text for running recordings; undefined if there are none. */
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
