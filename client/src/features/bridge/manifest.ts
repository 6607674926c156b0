import { NEVER, ON_DESKTOP, onRow, TRUSTED, type Manifest } from '../manifest.ts';

export const BRIDGE = {
  category: 'Parley Agents',
  commands: [
    {
      name: 'bridgeAgent',
      title: 'Bridge…',
      palette: NEVER,
      icon: 'plug',
      enablement: TRUSTED,
      menus: {
        'view/item/context': { group: '3_record@3', when: onRow('agents', /^agent\./) },
      },
    },
    {
      name: 'stopBridge',
      title: 'Stop Bridge',
      palette: NEVER,
      icon: 'debug-stop',
      enablement: ON_DESKTOP,
      menus: {
        'view/item/context': { group: '3_record@5', when: onRow('agents', /^agent\..*\.bridged/) },
      },
    },
    {
      name: 'copyBridgeAddress',
      title: 'Copy Address of Bridge',
      palette: NEVER,
      icon: 'copy',
      enablement: ON_DESKTOP,
      menus: { 'view/item/context': { group: '3_record@4', when: onRow('agents', /^agent\..*\.bridged/) } },
    },
  ],
} as const satisfies Manifest;
