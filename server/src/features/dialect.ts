import { DIALECT_READ, type DialectReadParams } from '../../../wire/server-messages.ts';
import { fileKey } from '../file-key.ts';
import { guardWork } from '../guard.ts';
import type { Feature, FeatureHost } from './feature.ts';

/** Notifies clients that display it of a document's dialect, when it is opened and when the dialect changes. */
export const dialect: Feature = {
  name: 'dialect',
  capabilities: () => ({}),
  register(host) {
    const reported = new Map<string, string>();
    host.documents.onChange(({ uri, version }) => {
      if (!host.options().showsDialects) return;
      // Not awaited; errors are caught and logged inside.
      void guardWork(host, { feature: 'dialect', uri, version }, undefined, () =>
        report(host, uri, reported),
      );
    });
    host.documents.onClose(uri => reported.delete(uri));
  },
};

/** Sends the dialect of the latest version, unless the client already has it. */
async function report(host: FeatureHost, uri: string, reported: Map<string, string>): Promise<void> {
  const found = host.documents.find(uri)?.document.dialect();
  if (!found) return;
  const isChosen = host.options().dialects.some(choice => fileKey(choice.uri) === fileKey(uri));
  const reason = isChosen ? 'It was chosen for this file.' : found.reason;
  const params: DialectReadParams = { uri, dialect: found.name, reason };
  const key = JSON.stringify(params);
  if (reported.get(uri) === key) return;
  reported.set(uri, key);
  await host.connection.sendNotification(DIALECT_READ, params);
}
