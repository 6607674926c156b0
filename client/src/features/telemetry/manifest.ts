import { inView, ON_DESKTOP, onRow, TRUSTED, type Manifest } from '../manifest.ts';

export const TELEMETRY = {
  category: 'Parley',
  commands: [
    {
      name: 'startTelemetryReceiver',
      title: 'Start Telemetry Receiver',
      icon: 'pulse',
      enablement: TRUSTED,
      menus: { 'view/title': { group: '2_telemetry@3', when: inView('traces') } },
    },
    {
      name: 'stopTelemetryReceiver',
      title: 'Stop Telemetry Receiver',
      icon: 'debug-stop',
      enablement: ON_DESKTOP,
    },
    {
      name: 'sendToCollector',
      title: 'Send Trace to Collector',
      icon: 'cloud-upload',
      enablement: TRUSTED,
      menus: {
        'view/title': { group: '2_telemetry@1', when: inView('traces') },
        'view/item/context': { group: '6_send@1', when: onRow('traces', /^(call|trace)\./) },
      },
    },
    {
      name: 'startSendingTraces',
      title: 'Send Traces to Collector as Calls End',
      icon: 'cloud-upload',
      enablement: TRUSTED,
      menus: { 'view/title': { group: '2_telemetry@2', when: inView('traces') } },
    },
    {
      name: 'stopSendingTraces',
      title: 'Stop Sending Traces to Collector',
      icon: 'debug-stop',
      enablement: ON_DESKTOP,
    },
    {
      name: 'openJaegerTrace',
      title: 'Open Trace from Jaeger…',
      icon: 'cloud-download',
      enablement: TRUSTED,
      menus: { 'view/title': { group: '1_open', when: inView('traces') } },
    },
  ],
} as const satisfies Manifest;
