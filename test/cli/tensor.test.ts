import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { castTensor } from '../../tensor/cast.ts';
import { findFormat } from '../../tensor/files/file-formats.ts';
import { writeZip } from '../../tensor/files/zip-writer.ts';
import { printTensor } from '../../tensor/read-tensor.ts';
import type { Tensor } from '../../tensor/tensor.ts';
import { runNumpy } from '../support/numpy.ts';
import { CliFolder } from './support/run-cli.ts';

function tensorOf(dtype: Tensor['dtype'], shape: readonly number[], values: ArrayBufferView): Tensor {
  return { dtype, shape, bytes: new Uint8Array(values.buffer as ArrayBuffer) };
}

const VIDEO = tensorOf('float32', [2, 3], Float32Array.of(0.1, -1.2, 0, 3.4, Number.NaN, Infinity));
const OTHER = tensorOf('float32', [2, 3], Float32Array.of(0.1, -1.2, 0, 3.9, Number.NaN, -Infinity));
const IDS = tensorOf('int64', [3], BigInt64Array.of(-(2n ** 63n), 2n ** 53n + 1n, 5n));
const EMPTY = tensorOf('float64', [0, 4], new Float64Array(0));

/** `np.save` of np.array([[0.1, -1.2, 0], [3.4, nan, inf]], dtype=np.float32). */
const NPY = Buffer.concat([
  Buffer.from(
    '934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028322c2033292c207d',
    'hex',
  ),
  Buffer.from(`${' '.repeat(58)}\n`),
  VIDEO.bytes,
]);

function message(type: string, fields: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:${type}],${fields}]\n`;
}

const MESSAGES = [
  message(
    'task_request',
    `[s:task]:[s:a],[s:constraints]:[d:[s:video]:${printTensor(VIDEO)},[s:ids]:${printTensor(IDS)}]`,
  ),
  '# between\n',
  message('result', `[s:data]:[l:[i:1],${printTensor(EMPTY)}]`),
].join('');

const BROKEN = `${message('result', '[s:data]:[t:float32:4:009C6]')}${message('result', `[s:data]:${printTensor(IDS)}`)}`;
/** What the rules say of the first tensor of BROKEN. */
const SHORT =
  "The data has 5 characters (4 bytes); float32 of shape '4' needs 16 bytes (20 characters) (error 1001)";
const ELIDED = message('result', '[s:data]:[t:float32:4:...]');

function videoLine(at: string): string {
  return `${at}  float32  2,3  24 bytes  min -1.2  max 3.4  mean 0.575  std 1.70935  nan 1  inf 1  zeros 1\n`;
}

describe('parley tensor', () => {
  let folder: CliFolder;

  beforeEach(async () => {
    folder = await CliFolder.create({
      'in.aicl': MESSAGES,
      'broken.aicl': BROKEN,
      'elided.aicl': ELIDED,
      'one.aicl': printTensor(VIDEO),
      'other.aicl': message(
        'task_request',
        `[s:task]:[s:a],[s:constraints]:[d:[s:video]:${printTensor(OTHER)}]`,
      ),
      'none.aicf': 'LIST\n',
      'w.npy': NPY,
      'cut.npy': NPY.subarray(0, -1),
      'bytes.aicl': Uint8Array.from([0x5b, 0xff]),
    });
  });
  afterEach(() => folder.remove());

  /** A run whose output is JSON. */
  async function runJson(words: readonly string[]): Promise<unknown> {
    const run = await folder.run([...words, '--format', 'json']);
    return { ...run, out: JSON.parse(run.out) as unknown };
  }

  it('lists the tensors of messages, aligned', async () => {
    assert.deepEqual(await folder.run(['tensor', 'in.aicl']), {
      exitCode: 0,
      out: [
        'in.aicl:1:127  constraints.video  float32  2,3  24 bytes  min -1.2                  max 3.4               mean 0.575         std 1.70935      nan 1  inf 1  zeros 1',
        'in.aicl:1:182  constraints.ids    int64    3    24 bytes  min -9223372036854775808  max 9007199254740993  mean -3.07145e+18  std 4.35006e+18  nan 0  inf 0  zeros 0',
        'in.aicl:3:95   data[1]            float64  0,4  0 bytes   min none                  max none              mean nan           std nan          nan 0  inf 0  zeros 0',
        '',
      ].join('\n'),
      err: '',
    });
  });

  it('lists one tensor, one message, and standard input', async () => {
    const video = { exitCode: 0, out: videoLine('in.aicl:1:127  constraints.video'), err: '' };
    assert.deepEqual(await folder.run(['tensor', 'in.aicl', '--at', 'constraints.video']), video);
    const second = await folder.run(['tensor', 'in.aicl:2']);
    assert.deepEqual(second.out.split('  ').slice(0, 2), ['in.aicl:3:95', 'data[1]']);
    const input = printTensor(VIDEO);
    assert.deepEqual(await folder.run(['tensor', '-'], { input }), {
      exitCode: 0,
      out: videoLine('-:1:1'),
      err: '',
    });
  });

  it('shows the chunks of a stream as the tensor that they make, in the order of their numbers', async () => {
    const [half, other] = [
      tensorOf('float32', [1, 3], VIDEO.bytes.slice(0, 12)),
      tensorOf('float32', [1, 3], VIDEO.bytes.slice(12)),
    ];
    const chunk = (name: string, k: number, n: number, value: Tensor): string =>
      message(
        'result',
        `[s:stream_id]:[s:${name}_${k}/${n}],[s:is_final]:[b:${k === n}],[s:data]:${printTensor(value)}`,
      );
    const text = [
      message('result', `[s:data]:${printTensor(IDS)}`),
      chunk('video', 2, 2, other),
      chunk('video', 1, 2, half),
      chunk('other', 1, 2, half),
      chunk('other', 2, 2, IDS),
    ].join('');
    await folder.write('chunks.aicl', text);
    const listed = await folder.run(['tensor', 'chunks.aicl', '--format', 'json']);
    const rows = JSON.parse(listed.out) as { line: number; at: string; dtype: string; shape: number[] }[];
    assert.deepEqual(
      rows.map(({ at, dtype, shape }) => [at, dtype, shape]),
      [
        ['data', 'int64', [3]],
        ['data', 'float32', [2, 3]],
        ['data', 'float32', [1, 3]],
        ['data', 'int64', [3]],
      ],
    );
    const lines = (await folder.run(['tensor', 'chunks.aicl'])).out.split('\n');
    assert.match(lines[1] ?? '', /^chunks\.aicl:2:\d+ .* 2,3 +24 bytes +min -1\.2 +max 3\.4 /);
    const single = await folder.run(['tensor', 'chunks.aicl:2']);
    assert.match(single.out, / 1,3 /);
  });

  it('lists a folder and an array file', async () => {
    const inside = await CliFolder.create({
      'a/x.aicl': printTensor(VIDEO),
      'a/b/y.aicl': 'x',
      'w.npy': NPY,
    });
    try {
      assert.deepEqual(await inside.run(['tensor', '.']), {
        exitCode: 0,
        out: videoLine('a/x.aicl:1:1'),
        err: '',
      });
      assert.deepEqual(await inside.run(['tensor', 'w.npy']), {
        exitCode: 0,
        out: videoLine('w.npy'),
        err: '',
      });
    } finally {
      await inside.remove();
    }
  });

  it('lists as JSON with all digits, what JSON lacks as text', async () => {
    const position = (line: number, character: number): object => ({ line, character });
    const facts = { nan: 0, positiveInfinity: 0, negativeInfinity: 0, zeros: 0 };
    assert.deepEqual(await runJson(['tensor', 'in.aicl']), {
      exitCode: 0,
      err: '',
      out: [
        {
          file: 'in.aicl',
          range: { start: position(0, 126), end: position(0, 126 + printTensor(VIDEO).length) },
          at: 'constraints.video',
          dtype: 'float32',
          shape: [2, 3],
          bytes: 24,
          ...facts,
          count: 6,
          min: -1.2000000476837158,
          minAt: [0, 1],
          max: 3.4000000953674316,
          maxAt: [1, 0],
          mean: 0.575000012293458,
          std: 1.709349343075281,
          nan: 1,
          positiveInfinity: 1,
          zeros: 1,
        },
        {
          file: 'in.aicl',
          range: { start: position(0, 181), end: position(0, 181 + printTensor(IDS).length) },
          at: 'constraints.ids',
          dtype: 'int64',
          shape: [3],
          bytes: 24,
          ...facts,
          count: 3,
          min: '-9223372036854775808',
          minAt: [0],
          max: '9007199254740993',
          maxAt: [1],
          mean: -3.0714549458666783e18,
          std: 4.350063846520201e18,
        },
        {
          file: 'in.aicl',
          range: { start: position(2, 94), end: position(2, 94 + printTensor(EMPTY).length) },
          at: 'data[1]',
          dtype: 'float64',
          shape: [0, 4],
          bytes: 0,
          ...facts,
          count: 0,
          min: null,
          minAt: null,
          max: null,
          maxAt: null,
          mean: 'nan',
          std: 'nan',
        },
      ],
    });
  });

  it('lists a tensor that cannot be read with what is wrong, and exits 1', async () => {
    const sound =
      'broken.aicl:2:86  data  int64    3  24 bytes  min -9223372036854775808  max 9007199254740993  mean -3.07145e+18  std 4.35006e+18  nan 0  inf 0  zeros 0\n';
    assert.deepEqual(await folder.run(['tensor', 'broken.aicl']), {
      exitCode: 1,
      out: `broken.aicl:1:86  data  float32  4  error: ${SHORT} [aicl/tensor-length]\n${sound}`,
      err: '',
    });
    assert.deepEqual(await runJson(['tensor', 'broken.aicl:1']), {
      exitCode: 1,
      out: [
        {
          file: 'broken.aicl',
          range: { start: { line: 0, character: 85 }, end: { line: 0, character: 104 } },
          at: 'data',
          dtype: 'float32',
          shape: '4',
          problem: { severity: 'error', code: 'aicl/tensor-length', message: SHORT },
        },
      ],
      err: '',
    });
    assert.equal((await folder.run(['tensor', 'broken.aicl:2'])).exitCode, 0);
  });

  it('lists a tensor whose data were left out, which is no error', async () => {
    assert.deepEqual(await folder.run(['tensor', 'elided.aicl']), {
      exitCode: 0,
      out: 'elided.aicl:1:86  data  float32  4  information: Data is left out here: all but the data was checked, and the message cannot be sent [aicl/elided-tensor]\n',
      err: '',
    });
  });

  it('says what a file is not', async () => {
    const cut =
      'cut.npy: The .npy file claims float32 with the shape (2, 3): 24 bytes of data, and it has 23 bytes. It was cut off: copy it again.\n';
    assert.deepEqual(await folder.run(['tensor', 'cut.npy']), { exitCode: 1, out: '', err: cut });
    assert.deepEqual(await runJson(['tensor', 'cut.npy', '--at', 'a']), { exitCode: 1, out: [], err: cut });
    assert.deepEqual(await folder.run(['tensor', '--import', 'cut.npy']), { exitCode: 1, out: '', err: cut });
    assert.deepEqual(await folder.run(['tensor', 'w.npy', '--diff', 'cut.npy']), {
      exitCode: 1,
      out: 'w.npy: only in w.npy\n',
      err: cut,
    });
    assert.deepEqual(await folder.run(['tensor', 'bytes.aicl']), {
      exitCode: 1,
      out: '',
      err: 'bytes.aicl:1:2: error: The file is not UTF-8 from byte 1 on: save it as UTF-8 [parley/not-utf8]\n',
    });
    assert.deepEqual(await folder.run(['tensor', 'none.aicf']), {
      exitCode: 0,
      out: '',
      err: "There is no tensor in 'none.aicf'\n",
    });
  });

  it('lists a tensor that has not its three parts as one that cannot be read', async () => {
    await folder.write('parts.aicl', message('result', '[s:data]:[l:[t:a],[t:uint8:1:00]]'));
    const problem =
      'A tensor is a data type, a shape and the data: write it as [t:uint8:2,2:009CJ] (error 1001)';
    assert.deepEqual(await folder.run(['tensor', 'parts.aicl', '--at', 'data[0]']), {
      exitCode: 1,
      out: `parts.aicl:1:89  data[0]  error: ${problem} [aicl/tensor-form]\n`,
      err: '',
    });
    assert.deepEqual(await folder.run(['tensor', 'parts.aicl', '--export', 'b.npz']), {
      exitCode: 1,
      out: '',
      err: `parts.aicl:1:89: error: ${problem} [aicl/tensor-form]\n'b.npz' is not written\n`,
    });
    assert.equal((await folder.run(['tensor', 'parts.aicl', '--at', 'data[1]'])).exitCode, 0);
  });

  describe('of an archive with an array that cannot be read', () => {
    const NOTE =
      "some.npz: 'cut.npy' was not read. The .npy file claims float32 with the shape (2, 3): 24 bytes of data, and it has 23 bytes. It was cut off: copy it again.\n";

    beforeEach(async () => {
      const zip = writeZip([
        { name: 'w.npy', bytes: NPY },
        { name: 'cut.npy', bytes: NPY.subarray(0, -1) },
      ]);
      assert.ok(zip instanceof Uint8Array);
      await folder.write('some.npz', zip);
    });

    it('lists one with a NUL in its name in the columns of the others', async () => {
      const zip = writeZip([
        { name: 'w.npy', bytes: NPY },
        { name: 'a\0b.npy', bytes: NPY },
      ]);
      assert.ok(zip instanceof Uint8Array);
      await folder.write('nul.npz', zip);
      const [plain = '', unexpected = ''] = (await folder.run(['tensor', 'nul.npz'])).out.split('\n');
      assert.match(unexpected, /^nul\.npz  aU\+0000b  float32 /);
      assert.equal(plain.indexOf('float32'), unexpected.indexOf('float32'));
    });

    it('lists the others and exits 1', async () => {
      assert.deepEqual(await folder.run(['tensor', 'some.npz']), {
        exitCode: 1,
        out: videoLine('some.npz  w'),
        err: NOTE,
      });
      assert.deepEqual(await folder.run(['tensor', 'some.npz', '--at', 'cut']), {
        exitCode: 1,
        out: '',
        err: NOTE,
      });
      assert.deepEqual(await folder.run(['tensor', 'some.npz', '--at', 'w']), {
        exitCode: 0,
        out: videoLine('some.npz  w'),
        err: NOTE,
      });
    });

    it('exports, imports and compares the others only where they are picked', async () => {
      assert.deepEqual(await folder.run(['tensor', 'some.npz', '--export', 'out.npy']), {
        exitCode: 1,
        out: '',
        err: `${NOTE}'out.npy' is not written\n`,
      });
      assert.deepEqual(await folder.run(['tensor', '--import', 'some.npz']), {
        exitCode: 1,
        out: '',
        err: `${NOTE}Nothing is imported: pick a tensor with --at, such as w\n`,
      });
      assert.deepEqual(await folder.run(['tensor', '--import', 'some.npz', '--at', 'w']), {
        exitCode: 0,
        out: `${printTensor(VIDEO)}\n`,
        err: NOTE,
      });
      assert.deepEqual(await folder.run(['tensor', 'w.npy', '--diff', 'some.npz']), {
        exitCode: 1,
        out: 'w.npy: the same\n',
        err: NOTE,
      });
    });
  });

  it('finds no tensor in a safetensors file of metadata alone, which is no error', async () => {
    const header = '{"__metadata__":{"by":"hand"}}  ';
    const bytes = Buffer.concat([Buffer.from([header.length, 0, 0, 0, 0, 0, 0, 0]), Buffer.from(header)]);
    await folder.write('meta.safetensors', bytes);
    assert.deepEqual(await folder.run(['tensor', 'meta.safetensors']), {
      exitCode: 0,
      out: '',
      err: "meta.safetensors: Metadata 'by': 'hand'.\nThere is no tensor in 'meta.safetensors'\n",
    });
  });

  it('picks with --at in a folder of which a file cannot be read', async () => {
    await folder.write('mixed/a.aicl', Uint8Array.from([0xff]));
    await folder.write('mixed/b.aicl', MESSAGES);
    const words = ['tensor', 'mixed', '--at', 'constraints.video'];
    const { exitCode, out } = await folder.run(words);
    const place = /^\S+/.exec(out)?.[0] ?? '';
    assert.deepEqual([exitCode, out], [1, videoLine(`${place}  constraints.video`)]);
  });

  it('exports one tensor as NumPy writes it, and all of them', async () => {
    const words = ['tensor', 'in.aicl', '--export'];
    assert.deepEqual(await folder.run([...words, 'a.npy', '--at', 'constraints.video']), {
      exitCode: 0,
      out: '',
      err: "Wrote 1 tensor to 'a.npy'\n",
    });
    assert.deepEqual(await readFile(join(folder.path, 'a.npy')), NPY);
    const path = join(folder.path, 'a.npy');
    const said = runNumpy(
      `a = np.load(given); answer = [str(a.dtype), list(a.shape), a.tobytes().hex()]`,
      path,
    );
    const wanted = ['float32', [2, 3], Buffer.from(VIDEO.bytes).toString('hex')];
    assert.deepEqual(said ?? wanted, wanted);
    for (const name of ['all.npz', 'all.safetensors']) {
      assert.deepEqual(await folder.run([...words, name]), {
        exitCode: 0,
        out: '',
        err: `Wrote 3 tensors to '${name}'\n`,
      });
      const reading = findFormat(name)?.read(await readFile(join(folder.path, name)));
      assert.ok(reading?.kind === 'ok');
      const tensors = new Map(
        reading.tensors.map(({ name: at, tensor }) => [at, { ...tensor, bytes: [...tensor.bytes] }]),
      );
      const all = { 'constraints.video': VIDEO, 'constraints.ids': IDS, 'data[1]': EMPTY };
      assert.deepEqual(
        Object.fromEntries(tensors),
        Object.fromEntries(
          Object.entries(all).map(([at, tensor]) => [at, { ...tensor, bytes: [...tensor.bytes] }]),
        ),
      );
    }
  });

  it('exports between array files, and reports what is lost', async () => {
    assert.deepEqual(await runJson(['tensor', 'w.npy', '--export', 'w.bin']), {
      exitCode: 0,
      out: {
        file: 'w.bin',
        tensors: 1,
        bytes: 24,
        notes: [
          'The file does not keep the data type and the shape: it is float32 with the shape [2, 3], little-endian.',
        ],
      },
      err: '',
    });
    assert.deepEqual(new Uint8Array(await readFile(join(folder.path, 'w.bin'))), VIDEO.bytes);
  });

  it('exports nothing where a tensor cannot be read', async () => {
    assert.deepEqual(await folder.run(['tensor', 'broken.aicl', '--export', 'b.npz']), {
      exitCode: 1,
      out: '',
      err: `broken.aicl:1:86: error: ${SHORT} [aicl/tensor-length]\n'b.npz' is not written\n`,
    });
    await assert.rejects(readFile(join(folder.path, 'b.npz')), { code: 'ENOENT' });
    assert.equal((await folder.run(['tensor', 'broken.aicl:2', '--export', 'b.npz'])).exitCode, 0);
  });

  it('imports an array file as a value of AICL', async () => {
    const value = printTensor(VIDEO);
    assert.deepEqual(await folder.run(['tensor', '--import', 'w.npy']), {
      exitCode: 0,
      out: `${value}\n`,
      err: '',
    });
    assert.deepEqual(await runJson(['tensor', '--import', 'w.npy']), {
      exitCode: 0,
      out: { file: 'w.npy', at: '', dtype: 'float32', shape: [2, 3], value },
      err: '',
    });
    assert.deepEqual(await folder.run(['tensor', 'in.aicl', '--import', 'w.npy']), {
      exitCode: 0,
      out: `${value}\n`,
      err: "'in.aicl' is ignored: --import prints the value of 'w.npy' alone\n",
    });
    await folder.run(['tensor', 'in.aicl', '--export', 'all.npz']);
    const picked = await folder.run(['tensor', '--import', 'all.npz', '--at', 'constraints.ids']);
    assert.deepEqual(picked, { exitCode: 0, out: `${printTensor(IDS)}\n`, err: '' });
  });

  describe('compares', () => {
    it('what is the same', async () => {
      assert.deepEqual(await folder.run(['tensor', 'one.aicl', '--diff', 'w.npy']), {
        exitCode: 0,
        out: 'one.aicl:1:1: the same\n',
        err: '',
      });
      await folder.run(['tensor', 'in.aicl', '--export', 'all.safetensors']);
      assert.deepEqual(await folder.run(['tensor', 'in.aicl', '--diff', 'all.safetensors']), {
        exitCode: 0,
        out: 'constraints.video: the same\nconstraints.ids: the same\ndata[1]: the same\n',
        err: '',
      });
    });

    it('what differs, where and how much, and what has no partner', async () => {
      assert.deepEqual(await folder.run(['tensor', 'in.aicl', '--diff', 'other.aicl']), {
        exitCode: 1,
        out: [
          'constraints.video: 2 of 6 elements differ, 1 without a finite difference, first at [1, 2], max abs 0.5 at [1, 0], max rel 0.128205 at [1, 0], cosine 0.999163',
          'constraints.ids: only in in.aicl',
          'data[1]: only in in.aicl',
          '',
        ].join('\n'),
        err: '',
      });
      const picked = await folder.run(['tensor', 'in.aicl', '--diff', 'w.npy', '--at', 'constraints.video']);
      assert.deepEqual(picked, { exitCode: 0, out: 'constraints.video: the same\n', err: '' });
      const [dtype, shape] = ['float32', [2, 3]];
      assert.deepEqual(await runJson(['tensor', 'w.npy', '--diff', 'other.aicl']), {
        exitCode: 1,
        out: [
          {
            one: { file: 'w.npy', at: '', dtype, shape },
            other: {
              file: 'other.aicl',
              range: {
                start: { line: 0, character: 126 },
                end: { line: 0, character: 126 + printTensor(OTHER).length },
              },
              at: 'constraints.video',
              dtype,
              shape,
            },
            same: false,
            count: 6,
            different: 2,
            differentAt: [1, 0],
            differentBits: 2,
            bothNan: 1,
            apart: 1,
            apartAt: [1, 2],
            maxAbsolute: { value: 0.5, at: [1, 0] },
            maxRelative: { value: 0.12820512507010423, at: [1, 0] },
            fromZero: 0,
            cosine: 0.9991634201360392,
          },
        ],
        err: '',
      });
      assert.deepEqual(await runJson(['tensor', 'in.aicl:2', '--diff', 'none.aicf']), {
        exitCode: 1,
        out: [
          {
            one: {
              file: 'in.aicl',
              range: {
                start: { line: 2, character: 94 },
                end: { line: 2, character: 94 + printTensor(EMPTY).length },
              },
              at: 'data[1]',
              dtype: 'float64',
              shape: [0, 4],
            },
            other: null,
            same: false,
            problem: 'only in in.aicl',
          },
        ],
        err: '',
      });
      assert.deepEqual(await folder.run(['tensor', 'none.aicf', '--diff', 'none.aicf']), {
        exitCode: 0,
        out: '',
        err: "There is no tensor in 'none.aicf' and none in 'none.aicf'\n",
      });
    });

    it('types, shapes, bytes and tensors that cannot be read', async () => {
      const wide = castTensor(VIDEO, 'float64').tensor;
      const minus = { ...VIDEO, bytes: VIDEO.bytes.with(11, 0x80) };
      await folder.write('wide.aicl', printTensor(wide));
      await folder.write('flat.aicl', printTensor({ ...VIDEO, shape: [6] }));
      await folder.write('minus.aicl', printTensor(minus));
      const diff = async (other: string): Promise<unknown> => {
        const { exitCode, out } = await folder.run(['tensor', 'w.npy', '--diff', other]);
        return [exitCode, out];
      };
      assert.deepEqual(
        [
          await diff('wide.aicl'),
          await diff('flat.aicl'),
          await diff('minus.aicl'),
          await diff('broken.aicl:1'),
        ],
        [
          [1, 'w.npy: float32 and float64, the same numbers\n'],
          [
            1,
            'w.npy: The shapes [2, 3] and [6] differ; elements are compared only where both tensors have the same shape.\n',
          ],
          [0, 'w.npy: the same numbers, 1 with other bytes\n'],
          [1, `w.npy: broken.aicl:1:86: ${SHORT}\n`],
        ],
      );
    });
  });

  for (const [words, message] of [
    [['tensor'], "'parley tensor' takes one path; it got 0"],
    [['tensor', 'in.aicl', 'w.npy'], "'parley tensor' takes one path; it got 2"],
    [['tensor', 'gone.npy'], "Cannot open 'gone.npy': there is no such file or folder"],
    [['tensor', '--import', 'gone.npy'], "Cannot open 'gone.npy': ENOENT"],
    [
      ['tensor', '--import', 'in.aicl'],
      "'in.aicl' has no file extension of an array file: use one of .npy, .npz, .safetensors, .csv, .png, .bin",
    ],
    [
      ['tensor', 'in.aicl', '--export', 'x.foo'],
      "'x.foo' has no file extension of an array file: use one of .npy, .npz, .safetensors, .csv, .png, .bin",
    ],
    [
      ['tensor', 'in.aicl', '--export', 'x.npy'],
      "Cannot write 'x.npy': A .npy file holds one tensor, and there are 3: pick one, or write an npz or safetensors file.",
    ],
    [
      ['tensor', 'in.aicl', '--at', 'data'],
      "There is no tensor at 'data' in 'in.aicl': it has 'constraints.video', 'constraints.ids', 'data[1]'",
    ],
    [
      ['tensor', 'none.aicf', '--at', 'data'],
      "There is no tensor at 'data' in 'none.aicf': it has no tensors",
    ],
    [
      ['tensor', 'w.npy', '--at', 'x'],
      "There is no tensor at 'x' in 'w.npy': its only one has no path: omit --at",
    ],
    [['tensor', 'in.aicl:7'], "There is no message 7 in 'in.aicl': it has 2"],
    [['tensor', 'w.npy:1'], "'w.npy' holds no messages: pick one of its tensors with --at"],
    [['tensor', 'in.aicl', '--export', 'a.npy', '--diff', 'w.npy'], 'Use either --export or --diff'],
    [['tensor', '-', '--diff', '-'], 'Standard input can be read once: name a file for the other side'],
  ] as const) {
    it(`refuses '${words.join(' ')}'`, async () => {
      assert.deepEqual(await folder.run(words), { exitCode: 2, out: '', err: `parley: ${message}\n` });
    });
  }

  it('says why a file cannot be written', async () => {
    const run = await folder.run(['tensor', 'w.npy', '--export', 'gone/x.npy']);
    assert.deepEqual([run.exitCode, run.out], [2, '']);
    assert.match(run.err, /^parley: Cannot write 'gone\/x\.npy': ENOENT/);
  });

  it('wants one of the tensors of a file to import', async () => {
    await folder.run(['tensor', 'in.aicl', '--export', 'all.npz']);
    assert.deepEqual(await folder.run(['tensor', '--import', 'all.npz']), {
      exitCode: 2,
      out: '',
      err: "parley: 'all.npz' holds 3 tensors: pick one with --at, such as constraints.video, constraints.ids, data[1]\n",
    });
  });
});
