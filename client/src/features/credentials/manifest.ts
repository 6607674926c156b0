import { inView, NEVER, ON_DESKTOP, type Manifest } from '../manifest.ts';

export const CREDENTIALS = {
  category: 'Parley',
  commands: [
    {
      name: 'manageCredentials',
      title: 'Manage Credentials…',
      enablement: ON_DESKTOP,
      menus: { 'view/title': { group: '2_secrets', when: inView('agents') } },
    },
    { name: 'moveCredential', title: 'Move Credential Into a Secret', palette: NEVER },
  ],
} as const satisfies Manifest;
