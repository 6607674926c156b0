import type { RequestRuleCode } from '../core/catalog/rules.ts';
import type { Issue } from '../core/text/issue.ts';
import { quote } from '../core/text/quote.ts';
import { findSimilar } from '../core/text/similar.ts';
import { replaceFix } from './fix.ts';
import type { OpenDocument } from './support.ts';

/** The issues of agents that container lines name. `agents` are the configured ones; without any, nothing is reported. */
export function checkAgents(
  document: OpenDocument,
  agents: readonly string[],
): readonly Issue<RequestRuleCode>[] {
  if (agents.length === 0) return [];
  const known = new Set(agents);
  return document.definitions().flatMap(({ kind, name, span }) => {
    if (kind !== 'agent' || known.has(name)) return [];
    const similar = findSimilar(name, agents);
    const advice = similar === undefined ? 'add it to the agents file' : `did you mean ${quote(similar)}?`;
    return {
      code: 'request/unknown-agent',
      severity: 'warning',
      span,
      message: `No agent is called ${quote(name)}: ${advice}`,
      ...(similar !== undefined && {
        fixes: [replaceFix(`Write ${quote(similar)}`, span, similar, { safe: false })],
      }),
    };
  });
}
