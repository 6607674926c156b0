import { ON_DESKTOP, type Manifest } from '../manifest.ts';

export const COMPOSE = {
  category: 'Parley',
  commands: [],
  views: [{ id: 'composer', name: 'Compose', size: 2, type: 'webview', when: ON_DESKTOP }],
} as const satisfies Manifest;
