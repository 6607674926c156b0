import { findVariables } from '../variables.ts';
import type { VariableRequest } from './resolve.ts';
import { judgeVariable } from './scope.ts';
import { readSlots } from './slots.ts';
import { variablesOf } from './write-slot.ts';

/**
 * The process environment variables that a request would use: those in `{{$env X}}` in the request and in the
 * definitions that it uses. Needs no values; reads each definition once.
 */
export function listEnvironmentNames({ language, wireText, scope }: VariableRequest): ReadonlySet<string> {
  const names = new Set<string>();
  const expanded = new Set<number>();
  const { slots, isReply } = readSlots(language, wireText);
  const pending = (isReply ? [] : slots).flatMap(({ start, end, form }) =>
    variablesOf(form, wireText.slice(start, end)).map(({ source }) => ({
      source,
      before: scope.variables.length,
    })),
  );
  for (let next = pending.pop(); next; next = pending.pop()) {
    const judged = judgeVariable(next.source, scope, next.before);
    if (judged.kind === 'function' && judged.name === 'env') names.add(judged.argument);
    if (judged.kind !== 'variable' || expanded.has(judged.index)) continue;
    expanded.add(judged.index);
    for (const { source } of findVariables(scope.variables[judged.index]?.value ?? ''))
      pending.push({ source, before: judged.index });
  }
  return names;
}
