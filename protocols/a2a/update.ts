import { listArtifacts } from './artifacts.ts';
import { isOldForm } from './parts.ts';
import { resultName } from './reader.ts';
import { frameRestReply, wrapTask } from './rest.ts';
import type { PushedUpdate } from '../protocol.ts';
import { stateName } from './states.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/**
 * The update of a task that an agent pushes to its client (A2A 0.3 section 9, 1.0 section 4.3.3): a task, an update of one or a
 * message about one, as a stream has them. Undefined for any other value, JSON-RPC among them.
 */
export function readTaskUpdate(value: Value): PushedUpdate | undefined {
  const message = frameRestReply(value);
  const body = message === value ? undefined : wrapTask(findEntry(message, 'result'));
  const name = resultName(body);
  const told = isOldForm(body) ? body : name && findEntry(body, name);
  if (!name || !told) return undefined;
  const isAbout =
    textIn(findEntry(told, 'taskId')) ?? textIn(name === 'task' ? findEntry(told, 'id') : undefined);
  if (isAbout === undefined) return undefined;
  return { title: `push notification: ${wordsOf(name, told)}`, message };
}

function wordsOf(name: string, told: Value): string {
  if (name === 'message') return 'message';
  const [artifact] = name === 'artifactUpdate' ? listArtifacts(told) : [];
  if (name === 'artifactUpdate')
    return ['artifact', textIn(findEntry(artifact, 'name'))].filter(Boolean).join(' ');
  return stateName(textIn(findEntry(findEntry(told, 'status'), 'state')) ?? '') || 'task';
}
