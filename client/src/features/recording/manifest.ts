import { NEVER, ON_DESKTOP, onRow, TRUSTED, withIcon, type Manifest } from '../manifest.ts';

export const RECORDING = {
  category: 'Parley Agents',
  commands: [
    {
      name: 'recordAgent',
      title: 'Record…',
      icon: 'record',
      enablement: TRUSTED,
      menus: {
        'view/item/context': { group: '3_record@1', when: onRow('agents', /^agent\.[a-z]+(\.signIn)?$/) },
      },
    },
    {
      name: 'stopRecording',
      title: 'Stop Recording',
      palette: 'parley.recording',
      icon: 'debug-stop',
      enablement: ON_DESKTOP,
      menus: {
        'view/item/context': withIcon(3, '3_record@2', onRow('agents', /^agent\..*\.recorded/)),
      },
    },
    {
      name: 'copyRecordingAddress',
      title: 'Copy Address of Recording',
      palette: NEVER,
      icon: 'copy',
      enablement: ON_DESKTOP,
      menus: { 'view/item/context': { group: '3_record@1', when: onRow('agents', /^agent\..*\.recorded/) } },
    },
  ],
} as const satisfies Manifest;
