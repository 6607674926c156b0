import { setContext } from '../../window/context-key.ts';
import { describeRunning } from '../../targets/running-endpoint.ts';
import { showWhileRunning } from '../../window/status-bar.ts';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import type { RECORDING } from './manifest.ts';
import { copyRecordingAddress, recordAgent, stopRecording } from './record-agent.ts';

/** Recordings in front of agents. */
export const activate: ActivateFeature = (shared, store) => {
  const { recordings } = shared;
  registerCommands<typeof RECORDING, Shared>(store, shared, {
    recordAgent,
    stopRecording,
    copyRecordingAddress,
  });
  if (!recordings) return;
  const { onDidChange } = recordings;
  store.add(onDidChange(() => setContext('recording', recordings.list().length > 0)));
  showWhileRunning(store, {
    id: 'parley.recordings',
    place: 99.7,
    name: 'Parley recordings',
    command: 'parley.stopRecording',
    onDidChange,
    describe: () => describeRunning(recordings.list(), 'Recording', 'record', ({ agent }) => agent),
  });
};
