import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  commands,
  Range,
  TabInputText,
  window,
  workspace,
  WorkspaceEdit,
  type TextDocument,
  Uri,
} from 'vscode';
import { FileSource } from '../../../client/src/features/tensors/file-source.ts';
import { findTensor } from '../../../client/src/tensor/find-tensor.ts';
import { Inspector } from '../../../client/src/features/tensors/inspector.ts';
import { MessageSource } from '../../../client/src/features/tensors/message-source.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { Span } from '../../../core/text/span.ts';
import type { ToInspector } from '../../../wire/inspector-messages.ts';
import type { Asker, ServerRequest } from '../../../client/src/language-client/ask.ts';
import type { DocumentPlace } from '../../../wire/request.ts';
import { TENSOR_AT, type TensorAnswer } from '../../../wire/tensor-requests.ts';
import { ask, deleteScratch, openInFront, wholeOf } from '../support/editor.ts';
import { activateParley, closeEditors, sampleUri } from '../support/parley.ts';
import type { WireRange } from '../../../wire/places.ts';

const TEXT = '[l:[t:uint8:4:0RjUA],\n[t:uint8:4:0RjUA]]\n';

/**
 * What the server answers, from the same language support, in this process. The extension keeps its client of the real
 * server to itself, and a second client would register every feature of the editor twice; what goes through the real
 * server is tested by the commands, in tensor.test.ts, and in the window.
 */
const FINDER: Asker = {
  async ask<Params, Result>(request: ServerRequest<Params, Result>, params: Params) {
    assert.equal(request, TENSOR_AT);
    const { uri, position } = params as DocumentPlace;
    const document = await workspace.openTextDocument(Uri.parse(uri));
    const offset = document.getText().split('\n').slice(0, position.line).join('\n').length;
    const at = position.line === 0 ? position.character : offset + 1 + position.character;
    return listTensors(document).find(({ span }) => span.start <= at && at <= span.end)?.answer as Result;
  },
};

function listTensors(document: TextDocument): readonly { span: Span; answer: TensorAnswer }[] {
  const text = document.getText();
  const open = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
  const issues = open.validate().filter(({ severity }) => severity === 'error');
  const toRange = ({ start, end }: Span): WireRange => {
    const [from, to] = [document.positionAt(start), document.positionAt(end)];
    return {
      start: { line: from.line, character: from.character },
      end: { line: to.line, character: to.character },
    };
  };
  return [...open.tensors()].map(place => ({
    span: place.span,
    answer: {
      version: document.version,
      range: toRange(place.span),
      payload: toRange(place.payload),
      dtype: text.slice(place.dtype.start, place.dtype.end),
      shape: text.slice(place.shape.start, place.shape.end),
      path: place.path,
      message: place.message,
      title: place.title,
      isSigned: place.isSigned,
      faults: issues
        .filter(({ span }) => span.start >= place.span.start && span.end <= place.span.end)
        .map(({ message }) => message),
    },
  }));
}

/** What a page was sent, in a few words. */
function describeSent(message: ToInspector): readonly unknown[] {
  switch (message.type) {
    case 'show':
    case 'other':
      return [message.type, message.subject.name, message.tensor.dtype, ...message.tensor.shape];
    case 'problem':
      return [message.type, message.subject.name, message.problem];
    case 'members':
      return [message.type, message.shown, ...message.members.map(({ name }) => name)];
    case 'hideOther':
      return [message.type, message.problem];
    case 'refuse':
      return [message.type, message.index, message.problem];
  }
}

describe('an inspector', () => {
  const made: Uri[] = [];
  const inspectors: Inspector[] = [];
  let sent: ToInspector[] = [];

  beforeEach(() => activateParley());

  afterEach(async () => {
    for (const inspector of inspectors.splice(0)) inspector.dispose();
    await closeEditors();
    for (const uri of made.splice(0)) await deleteScratch(uri);
    sent = [];
  });

  function inspect(source: FileSource | MessageSource): Inspector {
    const inspector = new Inspector(source, {
      isVisible: () => true,
      post: message => void sent.push(message),
      setTitle: () => undefined,
      onCompare: async () => undefined,
    });
    inspectors.push(inspector);
    return inspector;
  }

  /** Waits until a message was sent that says this, and answers all that was sent until then. */
  async function sentUntil(wanted: readonly unknown[]): Promise<readonly (readonly unknown[])[]> {
    const isWanted = (message: ToInspector): boolean =>
      JSON.stringify(describeSent(message)) === JSON.stringify(wanted);
    await ask(
      () => `${JSON.stringify(wanted)} in ${JSON.stringify(sent.map(describeSent))}`,
      async () => (sent.some(isWanted) ? true : undefined),
    );
    return sent.splice(0).map(describeSent);
  }

  async function scratch(name: string, bytes: Uint8Array): Promise<Uri> {
    const uri = sampleUri(name);
    await workspace.fs.writeFile(uri, bytes);
    made.push(uri);
    return uri;
  }

  async function openSecond(name: string): Promise<{ document: TextDocument; source: MessageSource }> {
    const document = await openInFront(name, TEXT);
    made.push(document.uri);
    const found = await findTensor(FINDER, document, () => ({ line: 1, character: 3 }));
    assert.ok(found);
    return { document, source: new MessageSource(FINDER, found) };
  }

  async function replace(document: TextDocument, range: Range, text: string): Promise<void> {
    const edit = new WorkspaceEdit();
    edit.replace(document.uri, range, text);
    assert.equal(await workspace.applyEdit(edit), true);
  }

  it('shows the tensors of a file, and the one that is picked', async () => {
    const inspector = inspect(new FileSource(sampleUri('arrays/model.safetensors'), undefined));
    const members = ['tokens', 'encoder.weight', 'encoder.bias'];
    inspector.receive({ type: 'ready' });
    assert.deepEqual(await sentUntil(['show', 'tokens', 'int64', 3]), [
      ['members', 'tokens', ...members],
      ['show', 'tokens', 'int64', 3],
    ]);
    inspector.receive({ type: 'pick', member: 'encoder.bias' });
    assert.deepEqual(await sentUntil(['show', 'encoder.bias', 'float16', 4]), [
      ['members', 'encoder.bias', ...members],
      ['show', 'encoder.bias', 'float16', 4],
    ]);
  });

  it('reads a file by pieces where it can, and no more than it shows', async () => {
    const uri = sampleUri('arrays/model.safetensors');
    const bytes = await workspace.fs.readFile(uri);
    const read: (readonly number[])[] = [];
    const source = new FileSource(uri, async (_, start, end) => {
      read.push([start, end]);
      return bytes.subarray(start, end);
    });
    const reading = await source.read();
    source.dispose();
    assert.ok(reading.content.kind === 'ok');
    assert.deepEqual([...reading.content.tensor.bytes], [...bytes.subarray(-80, -56)]);
    const isOnDisk = uri.scheme === 'file';
    assert.deepEqual(
      read,
      isOnDisk
        ? [
            [0, bytes.length],
            [bytes.length - 80, bytes.length - 56],
          ]
        : [],
    );
  });

  it('posts whole arrays of the plain class: VS Code sends no others as bytes', async () => {
    inspect(new FileSource(sampleUri('arrays/weights.npy'), undefined)).receive({ type: 'ready' });
    await ask('the tensor', async () => sent[0]);
    const tensors = sent.flatMap(message => (message.type === 'show' ? [message.tensor.bytes] : []));
    assert.deepEqual(
      tensors.map(bytes => [bytes.constructor.name, bytes.byteLength, bytes.buffer.byteLength]),
      [['Uint8Array', 1024, 1024]],
    );
  });

  it('says what is wrong with a file, and shows it when it is right again', async () => {
    const good = await workspace.fs.readFile(sampleUri('arrays/weights.npy'));
    const uri = await scratch('broken.npy', good.slice(0, 600));
    inspect(new FileSource(uri, undefined)).receive({ type: 'ready' });
    await ask('the problem', async () => sent[0]);
    const [problem] = sent.splice(0);
    assert.ok(problem?.type === 'problem');
    // 16 × 16 float32 are 1,024 bytes; 600 less the 128 of the header are 472.
    assert.match(problem.problem, /1,024.*472|472.*1,024/s);
    await workspace.fs.writeFile(uri, good);
    await sentUntil(['show', 'broken.npy', 'float32', 16, 16]);
  });

  it('says that a file is gone', async () => {
    inspect(new FileSource(sampleUri('nowhere.npy'), undefined)).receive({ type: 'ready' });
    await sentUntil(['problem', 'nowhere.npy', 'The file was deleted.']);
  });

  it('follows its tensor through edits, says what is wrong with it, and when it is gone and back', async () => {
    const { document, source } = await openSecond('inspect-follow.aicl');
    inspect(source).receive({ type: 'ready' });
    await sentUntil(['show', '[1]', 'uint8', 4]);
    const { id } = (await source.read()).subject;
    await replace(document, new Range(0, 0, 0, 0), '# A comment, then two tensors.\n\n');
    await sentUntil(['show', '[1]', 'uint8', 4]);
    // The second tensor wants five bytes now.
    await replace(document, new Range(3, 9, 3, 10), '5');
    await ask('the problem', async () => sent.find(({ type }) => type === 'problem'));
    const problem = sent.splice(0).find(message => message.type === 'problem');
    assert.match(problem?.type === 'problem' ? problem.problem : '', /5 bytes.*4|4 bytes.*5/s);
    await replace(document, new Range(2, 21, 3, 17), '');
    await sentUntil(['problem', '[1]', 'This tensor is no longer in the document.']);
    await window.showTextDocument(document);
    for (let undone = 0; undone < 2; undone++) await commands.executeCommand('undo');
    await sentUntil(['show', '[1]', 'uint8', 4]);
    assert.equal((await source.read()).subject.id, id);
  });

  it('comes back when what was typed over its document is undone', async () => {
    const { document, source } = await openSecond('inspect-retyped.aicl');
    inspect(source).receive({ type: 'ready' });
    await sentUntil(['show', '[1]', 'uint8', 4]);
    await commands.executeCommand('editor.action.selectAll');
    for (const text of 'gone') await commands.executeCommand('type', { text });
    await sentUntil(['problem', '[1]', 'This tensor is no longer in the document.']);
    assert.equal(document.getText(), 'gone');
    // A busy VS Code may take the four letters for several edits.
    await ask(
      () => `the text before in ${JSON.stringify(document.getText())}`,
      async () => {
        if (document.getText() === TEXT) return true;
        await commands.executeCommand('undo');
        return undefined;
      },
    );
    await sentUntil(['show', '[1]', 'uint8', 4]);
  });

  it('shows what the file holds when its document is closed without saving', async () => {
    const { document, source } = await openSecond('inspect-closed.aicl');
    inspect(source).receive({ type: 'ready' });
    await sentUntil(['show', '[1]', 'uint8', 4]);
    await replace(document, new Range(0, 0, 0, 0), '# A comment.\n');
    await replace(document, new Range(2, 3, 2, 10), 'int8:2,2');
    await sentUntil(['show', '[1]', 'int8', 2, 2]);
    const isShown = (): boolean => {
      const tabs = window.tabGroups.all.flatMap(group => group.tabs);
      return tabs.some(
        ({ input }) => input instanceof TabInputText && input.uri.toString() === document.uri.toString(),
      );
    };
    // The command closes the editor with the focus, which another one can have on a busy machine.
    await ask('the closed editor', async () => {
      if (!isShown()) return true;
      await window.showTextDocument(document);
      await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      return undefined;
    });
    await sentUntil(['show', '[1]', 'uint8', 4]);
  });

  it('writes a value and says why it does not', async () => {
    const { document, source } = await openSecond('inspect-write.aicl');
    const inspector = inspect(source);
    inspector.receive({ type: 'ready' });
    await sentUntil(['show', '[1]', 'uint8', 4]);
    inspector.receive({ type: 'setValue', index: 3, value: '300' });
    await sentUntil(['refuse', 3, '300 does not fit uint8: 0 to 255']);
    inspector.receive({ type: 'setValue', index: 3, value: '5' });
    await sentUntil(['show', '[1]', 'uint8', 4]);
    assert.equal(document.getText(), '[l:[t:uint8:4:0RjUA],\n[t:uint8:4:0RjUB]]\n');
    await replace(document, wholeOf(document), TEXT.replaceAll('uint8:4', 'int8:2,2'));
    await sentUntil(['show', '[1]', 'int8', 2, 2]);
  });

  it('writes nothing over a tensor that changed meanwhile', async () => {
    const { document, source } = await openSecond('inspect-conflict.aicl');
    const reading = await source.read();
    assert.ok(reading.content.kind === 'ok');
    const before: Tensor = reading.content.tensor;
    const text = TEXT.replace(/0RjUA(?=\]\]\n$)/, '0RjUC');
    await replace(document, wholeOf(document), text);
    const problem = await source.write?.(before, { ...before, shape: [2, 2] });
    assert.match(problem ?? '', /changed in its document meanwhile/);
    assert.equal(document.getText(), text);
    source.dispose();
  });

  it('compares with another tensor until the page has enough', async () => {
    const { document, source } = await openSecond('inspect-compare.aicl');
    const inspector = inspect(new FileSource(sampleUri('arrays/weights.npy'), undefined));
    inspector.receive({ type: 'ready' });
    await sentUntil(['show', 'weights.npy', 'float32', 16, 16]);
    inspector.compareWith(source);
    await sentUntil(['other', '[1]', 'uint8', 4]);
    await replace(document, new Range(1, 0, 1, 17), '');
    await sentUntil(['hideOther', '[1]: This tensor is no longer in the document.']);
    inspector.receive({ type: 'endCompare' });
    assert.deepEqual(await sentUntil(['hideOther', undefined]), [['hideOther', undefined]]);
  });
});
