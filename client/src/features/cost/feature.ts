import { COST as COST_REQUEST, TOKENS } from '../../../../wire/cost-requests.ts';
import { registerCommands, type ActivateFeature } from '../feature.ts';
import { compareCost } from './compare-cost.ts';
import { CostDocument } from './cost-document.ts';
import { showCost } from './cost-status.ts';
import type { COST } from './manifest.ts';
import type { CostParts } from './parts.ts';
import { hideTokenCounts, showTokenCounts } from './token-counts.ts';

/** The tokens and bytes of messages. */
export const activate: ActivateFeature = (shared, store) => {
  const { server } = shared;
  const cost = store.add(
    new CostDocument(async (source, encoding, token) =>
      server.ask(COST_REQUEST, { source: await source.read(), encoding }, token),
    ),
  );
  showCost(store, (...question) => server.ask(TOKENS, ...question));
  const parts: CostParts = { ...shared, cost };
  registerCommands<typeof COST, CostParts>(store, parts, { compareCost, showTokenCounts, hideTokenCounts });
};
