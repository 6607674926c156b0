import {
  Position,
  type QuickPickItem,
  QuickPickItemKind,
  type TextDocument,
  ThemeIcon,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { quote } from '../../../../core/text/quote.ts';
import { TENSORS, type TensorAnswer } from '../../../../wire/tensor-requests.ts';
import type { Asker } from '../../language-client/ask.ts';
import { readLanguage } from '../../targets/arguments.ts';
import { SELF_DESCRIBING } from './array-file.ts';
import { FileSource } from './file-source.ts';
import { findTensor, nameOf, placeOf } from '../../tensor/find-tensor.ts';
import type { Inspectors } from './inspectors.ts';
import { MessageSource } from './message-source.ts';
import type { TensorSource } from './source.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';

const WARNING = new ThemeIcon('warning');

type Choice = QuickPickItem & { readonly open?: () => Promise<TensorSource | undefined> };

/**
 * Asks for a tensor of the open AICL documents, of the shown array files, or of another file, but not for
 * `except`. Returns undefined if the user cancels. The caller owns the source.
 */
export async function chooseTensor(
  server: Asker,
  inspectors: Inspectors,
  title: string,
  except?: TensorSource,
): Promise<TensorSource | undefined> {
  const items: readonly Choice[] = [
    ...(await listMessages(server, inspectors, except)),
    ...(await listFiles(inspectors, except)),
    { label: '', kind: QuickPickItemKind.Separator },
    { label: 'Choose a file…', open: () => chooseFile(inspectors) },
  ];
  const options = { title, matchOnDescription: true, matchOnDetail: true };
  return (await pickItem(items, options))?.open?.();
}

/** Asks for an array file and, if it has several tensors, for one of them. */
export async function chooseFile(inspectors: Inspectors): Promise<FileSource | undefined> {
  const uri = await askForArrayFile();
  if (!uri) return undefined;
  const source = inspectors.openFile(uri);
  const member = await chooseMember(source);
  if (member === 'all') return source;
  source.dispose();
  return member && inspectors.openFile(uri, member.name);
}

/** Asks for an array file to open. */
export async function askForArrayFile(): Promise<Uri | undefined> {
  const endings = SELF_DESCRIBING.flatMap(format => format.endings.map(ending => ending.slice(1)));
  const [uri] =
    (await window.showOpenDialog({ filters: { Arrays: endings }, title: 'Open array file' })) ?? [];
  return uri;
}

/** Returns `all` if there is no choice. Faults of the file are reported when it is read. */
async function chooseMember(source: FileSource): Promise<{ readonly name: string } | 'all' | undefined> {
  const members = await source.listMembers();
  if (typeof members === 'string' || members.length < 2) return 'all';
  const items = members.map(({ name, dtype, shape, problem }) => ({
    label: name,
    description: `${dtype} ${shape.join('×')}`,
    ...(problem !== undefined && { detail: problem, iconPath: WARNING }),
    name,
  }));
  return pickItem(items, { title: 'Tensor of the file', matchOnDescription: true });
}

async function listMessages(
  server: Asker,
  inspectors: Inspectors,
  except: TensorSource | undefined,
): Promise<readonly Choice[]> {
  const isOther = (document: TextDocument, { range: { start } }: TensorAnswer): boolean => {
    const offset = document.offsetAt(new Position(start.line, start.character));
    return !(except instanceof MessageSource && except.isAt(document.uri, offset));
  };
  const documents = workspace.textDocuments.filter(({ languageId }) => readLanguage(languageId) === 'aicl');
  const lists = await Promise.all(
    documents.map(async document => {
      const answers = await server.ask(TENSORS, { uri: document.uri.toString() });
      return answers
        .filter(answer => isOther(document, answer))
        .map(answer => ({
          ...describeAnswer(document.uri, answer),
          open: async () => {
            const found = await findTensor(server, document, () => answer.payload.start);
            return found && inspectors.openMessage(found);
          },
        }));
    }),
  );
  return lists.flat();
}

function describeAnswer(uri: Uri, answer: TensorAnswer): QuickPickItem {
  const [fault] = answer.faults;
  const place = placeOf(uri, answer);
  return {
    label: nameOf(answer),
    description: `${answer.dtype} ${answer.shape.split(',').join('×')}`,
    detail: fault === undefined ? place : `${place} · ${fault}`,
    ...(fault !== undefined && { iconPath: WARNING }),
  };
}

async function listFiles(
  inspectors: Inspectors,
  except: TensorSource | undefined,
): Promise<readonly Choice[]> {
  const shown = inspectors.all.flatMap(({ source }) => (source instanceof FileSource ? [source] : []));
  const uris = new Map(shown.map(source => [source.uri.toString(), source]));
  const lists = await Promise.all(
    [...uris.values()].map(async source => {
      const members = await source.listMembers();
      if (typeof members === 'string') return [];
      const others = members.filter(
        ({ name }) => !(except instanceof FileSource && except.shows(source.uri, name)),
      );
      return others.map(({ name, dtype, shape, problem }) => ({
        label: name || quote(workspace.asRelativePath(source.uri)),
        description: `${dtype} ${shape.join('×')}`,
        detail: `${workspace.asRelativePath(source.uri)}${problem === undefined ? '' : ` · ${problem}`}`,
        ...(problem !== undefined && { iconPath: WARNING }),
        open: async () => inspectors.openFile(source.uri, name),
      }));
    }),
  );
  return lists.flat();
}
