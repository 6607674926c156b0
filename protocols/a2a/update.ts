import { listArtifacts } from './artifacts.ts';
import { isOldForm } from './parts.ts';
import { resultName } from './reader.ts';
import { frameRestReply, wrapTask } from './rest.ts';
import type { PushedUpdate } from '../request-recognition.ts';
import { stateName } from './results.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/**
 * Reads the update that an agent pushes to its client (A2A 0.3 section 9, 1.0 section 4.3.3): a task, an update of one
 * or a message about one, in the form that streams have. Undefined for any other value, including JSON-RPC.
 */
export function readTaskUpdate(value: Value): PushedUpdate | undefined {
  const message = frameRestReply(value);
  const body = message === value ? undefined : wrapTask(findEntry(message, 'result'));
  const name = resultName(body);
  const reported = isOldForm(body) ? body : name && findEntry(body, name);
  if (!name || !reported) return undefined;
  const isAbout =
    textIn(findEntry(reported, 'taskId')) ?? textIn(name === 'task' ? findEntry(reported, 'id') : undefined);
  if (isAbout === undefined) return undefined;
  return { title: `push notification: ${wordsOf(name, reported)}`, message };
}

function wordsOf(name: string, reported: Value): string {
  if (name === 'message') return 'message';
  const [artifact] = name === 'artifactUpdate' ? listArtifacts(reported) : [];
  if (name === 'artifactUpdate')
    return ['artifact', textIn(findEntry(artifact, 'name'))].filter(Boolean).join(' ');
  return stateName(textIn(findEntry(findEntry(reported, 'status'), 'state')) ?? '') || 'task';
}
