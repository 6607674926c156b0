import type { ActivateFeature } from '../feature.ts';
import { ComposerView } from './composer-view.ts';

/** The Compose view. */
export const activate: ActivateFeature = (shared, store) => {
  const { agents, context } = shared;
  if (agents) store.add(new ComposerView(context.extensionUri, shared, agents));
};
