import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { rootCertificates } from 'node:tls';
import { createCaFiles } from '../../src/adapters/cell/ca-files.ts';
import type { Env } from '../../src/domain/env.ts';
import type { Cells } from '../../src/ports/cell.ts';
import { cellFixture, run, sh } from '../support/cell-fixture.ts';
import { type CellKind, testsWith } from '../support/cell-kinds.ts';

const SYSTEM_BUNDLES = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt'];
const KEY = '-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n';
const COUNT = 'process.stdout.write(String(tls.getCACertificates("extra").length))';

/** What every kind of cell promises about the certificates that its programs trust. */
export function cellCertificatesContract(kind: CellKind): void {
  describe(`certificates in cells of the kind ${kind.name}`, () => {
    const it = testsWith(kind);

    it('a CA file that a variable names is trusted by node inside', async (cells) => {
      await using cell = await cellWith(cells, ({ file }) => ({
        host: {},
        env: { NODE_EXTRA_CA_CERTS: file },
      }));
      assert.equal(await cell.extraCertificates(), '2');
    });

    it("a CA file that the worker's own account trusts is trusted by node inside", async (cells) => {
      await using cell = await cellWith(cells, ({ file }) => ({
        host: { NODE_EXTRA_CA_CERTS: file, SSL_CERT_FILE: '/no/such/file' },
        env: {},
      }));
      assert.equal(await cell.extraCertificates(), '2');
      assert.equal('SSL_CERT_FILE' in cell.env, false);
    });

    if (kind.keeps.isolates) {
      it('a private key beside a CA certificate is not readable inside', async (cells) => {
        await using cell = await cellWith(cells, ({ file }) => ({
          host: {},
          env: { SSL_CERT_FILE: file },
        }));
        const { out } = await cell.sh('cat "$SSL_CERT_FILE"');
        assert.equal(out.match(/BEGIN CERTIFICATE/g)?.length, 2);
        assert.doesNotMatch(out, /PRIVATE KEY/);
      });
    }

    it('the CA bundle of the system is readable inside', async (cells) => {
      const bundle = SYSTEM_BUNDLES.find((path) => existsSync(path));
      await using cell = await cellWith(cells, () => ({ host: {}, env: {} }));
      if (bundle !== undefined) assert.match((await cell.sh(`head -1 ${bundle}`)).out, /\S/);
    });
  });
}

type Choose = (files: { readonly file: string }) => { readonly host: Env; readonly env: Env };

async function cellWith(cells: Cells, choose: Choose) {
  const fixture = cellFixture(cells);
  const file = join(fixture.folder, 'company.pem');
  const certificates = rootCertificates.slice(0, 2);
  writeFileSync(file, `${KEY}${certificates.join('\n')}\n`, { mode: 0o600 });
  const chosen = choose({ file });
  const prepare = createCaFiles({ folder: join(fixture.folder, 'ca'), host: chosen.host });
  const { env, readable } = await prepare(chosen.env, { kind: cells.kind, image: null });
  const cell = await fixture.cell({ readable });
  // Without isolation, the first node in the PATH may be too old for the question.
  const node = cells.kind === 'none' ? process.execPath : 'node';
  return {
    env,
    sh: (script: string) => sh(cell, script, { ...env }),
    async extraCertificates() {
      return (await run(cell, [node, '-e', COUNT], { ...env })).out;
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}
