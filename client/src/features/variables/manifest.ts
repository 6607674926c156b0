import { type Manifest } from '../manifest.ts';

export const VARIABLES = {
  category: 'Parley',
  commands: [{ name: 'pickEnvironment', title: 'Pick Environment…' }],
} as const satisfies Manifest;
