import { registerCommands, type ActivateFeature, type Shared } from '../feature.ts';
import { showEnvironment } from './environment-status.ts';
import type { VARIABLES } from './manifest.ts';
import { pickEnvironment } from './pick-environment.ts';

/** The environment whose variables requests use. */
export const activate: ActivateFeature = (shared, store) => {
  const { agents } = shared;
  registerCommands<typeof VARIABLES, Shared>(store, shared, { pickEnvironment });
  if (agents) showEnvironment(store, agents.environments);
};
