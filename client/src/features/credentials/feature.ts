import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import { manageCredentials } from './manage-credentials.ts';
import type { CREDENTIALS } from './manifest.ts';
import { moveCredential } from './move-credential.ts';

/** Stored secrets and sign-ins. */
export const activate: ActivateFeature = (shared, store) => {
  registerCommands<typeof CREDENTIALS, Shared>(store, shared, { manageCredentials, moveCredential });
};
