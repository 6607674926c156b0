import { findEntry, type Value } from '../../core/values/value.ts';
import type { RequestKind } from '../request-recognition.ts';

/** The kind of a JSON-RPC 2.0 message: an answer has no method, and a notification no id. */
export function kindOfRpc(message: Value): RequestKind {
  if (!findEntry(message, 'method')) return 'answer';
  const id = findEntry(message, 'id');
  return id?.kind === 'int' || id?.kind === 'text' ? 'request' : 'notification';
}
