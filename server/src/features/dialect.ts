import { DIALECT_READ, type DialectReadParams } from '../../../wire/server-messages.ts';
import { fileKey } from '../file-key.ts';
import { guardWork } from '../guard.ts';
import type { Feature, FeatureHost } from './feature.ts';

/** Which dialect a document is read in: told to a client that shows it, when it is opened and when it changes. */
export const dialect: Feature = {
  name: 'dialect',
  capabilities: () => ({}),
  register(host) {
    const told = new Map<string, string>();
    host.documents.onChange(({ uri, version }) => {
      if (!host.options().showsDialects) return;
      // Nobody waits for it; its faults are caught and logged inside.
      void guardWork(host, { feature: 'dialect', uri, version }, undefined, () => tell(host, uri, told));
    });
    host.documents.onClose(uri => told.delete(uri));
  },
};

/** Tells of the newest version, unless the client knows it. */
async function tell(host: FeatureHost, uri: string, told: Map<string, string>): Promise<void> {
  const found = host.documents.find(uri)?.document.dialect();
  if (!found) return;
  const isChosen = host.options().dialects.some(choice => fileKey(choice.uri) === fileKey(uri));
  const reason = isChosen ? 'It was chosen for this file.' : found.reason;
  const params: DialectReadParams = { uri, dialect: found.name, reason };
  const key = JSON.stringify(params);
  if (told.get(uri) === key) return;
  told.set(uri, key);
  await host.connection.sendNotification(DIALECT_READ, params);
}
