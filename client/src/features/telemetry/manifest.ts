import { inView, NEVER, onRow, TRUSTED, type Manifest } from '../manifest.ts';

export const TELEMETRY = {
  category: 'Parley',
  commands: [
    {
      name: 'telemetry',
      title: 'Telemetry…',
      icon: 'pulse',
      enablement: TRUSTED,
      menus: { 'view/title': { group: '2_telemetry', when: inView('traces') } },
    },
    {
      name: 'sendToCollector',
      title: 'Send to Collector',
      enablement: TRUSTED,
      palette: NEVER,
      menus: { 'view/item/context': { group: '6_send@5', when: onRow('traces', /^(call|trace)\./) } },
    },
  ],
} as const satisfies Manifest;
