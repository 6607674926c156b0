import { StatusBarAlignment, window } from 'vscode';
import { setContext } from '../../window/context-key.ts';
import { RunningStatus } from '../../window/running-status.ts';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import type { RECORDING } from './manifest.ts';
import { copyRecordingAddress, recordAgent, stopRecording } from './record-agent.ts';
import { describeRecordings } from './recording-status.ts';

/** Recordings in front of agents. */
export const activate: ActivateFeature = (shared, store) => {
  const { recordings } = shared;
  registerCommands<typeof RECORDING, Shared>(store, shared, {
    'parley.recordAgent': recordAgent,
    'parley.stopRecording': stopRecording,
    'parley.copyRecordingAddress': copyRecordingAddress,
  });
  if (!recordings) return;
  const { onDidChange } = recordings;
  store.add(onDidChange(() => setContext('recording', recordings.list().length > 0)));
  const item = window.createStatusBarItem('parley.recordings', StatusBarAlignment.Right, 99.7);
  store.add(
    new RunningStatus(item, {
      name: 'Parley recordings',
      command: 'parley.stopRecording',
      onDidChange,
      describe: () => describeRecordings(recordings.list()),
    }),
  );
};
