import { workspace } from 'vscode';
import { addHeader } from '../../../agents/config/edit-agents-file.ts';
import { describeError } from '../base/log.ts';
import type { FoundAgent } from './agent-files.ts';
import { readConfig } from './read-config.ts';
import type { Secrets } from './secrets.ts';

/** Schemes with which a credential may begin. Without a scheme it is sent as a bearer token. */
const SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey)\s+/i;

/** A credential as written, and the name of the secret in which to store it. */
export interface Credential {
  readonly name: string;
  readonly value: string;
}

/**
 * Stores a credential as a secret for an agent, and references it in the header `Authorization` of its entry in the
 * agents file (reading of AICF-RPC 1.0, section 2.2). Returns an error sentence if that fails; nothing is stored then.
 */
export async function moveCredential(
  secrets: Secrets,
  { config, file }: FoundAgent,
  receiver: string,
  { name, value }: Credential,
): Promise<string | undefined> {
  const open = workspace.textDocuments.find(document => document.uri.toString() === file.toString());
  if (open?.isDirty)
    return 'The agents file has edits that are not saved. Save it, then move the credential.';
  const [scheme = 'Bearer '] = SCHEME.exec(value.trim()) ?? [];
  const token = value.trim().replace(SCHEME, '');
  try {
    const reading = await readConfig(file);
    if (!reading.ok) return `The agents file ${reading.message}.`;
    const edited = addHeader(
      reading.text ?? '',
      config.name,
      'Authorization',
      `${scheme.trim()} \${secret:${name}}`,
    );
    if (!edited.ok) return edited.message;
    await workspace.fs.writeFile(file, new TextEncoder().encode(edited.text));
    await secrets.keep(name, token, receiver);
    return undefined;
  } catch (error) {
    return `The agents file could not be written: ${describeError(error)}.`;
  }
}
