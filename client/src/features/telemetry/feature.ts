import { showWhileRunning } from '../../window/status-bar.ts';
import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import type { TELEMETRY } from './manifest.ts';
import { describeReceiver } from './receiver-status.ts';
import { describeSending } from './sending-status.ts';
import { sendToCollector, telemetry } from './telemetry.ts';

/** Spans from instrumented agents, and spans to a collector. */
export const activate: ActivateFeature = (shared, store) => {
  const { telemetry: service } = shared;
  registerCommands<typeof TELEMETRY, Shared>(store, shared, { telemetry, sendToCollector });
  if (!service) return;
  const about = { command: 'parley.telemetry', onDidChange: service.onDidChange } as const;
  showWhileRunning(store, {
    ...about,
    id: 'parley.telemetry',
    place: 99.6,
    name: 'Parley telemetry receiver',
    arguments: ['stopReceiver'],
    describe: () => service.receiver && describeReceiver(service.receiver),
  });
  showWhileRunning(store, {
    ...about,
    id: 'parley.sending',
    place: 99.55,
    name: 'Parley sending to a collector',
    arguments: ['stopSending'],
    describe: () => service.sending && describeSending(service.sending),
  });
};
