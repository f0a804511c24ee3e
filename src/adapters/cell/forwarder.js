// Runs inside a cell: node forwarder.js <port>=<socket>... -- <program> <argument>...
//
// The cell has no network but its own loopback. Forwards each given port to a Unix socket of the host
// that is mounted into the cell, then starts the program with the streams of this process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

const [, , ...args] = process.argv;
const separator = args.indexOf('--');
const forwards = args.slice(0, separator);
const [program, ...rest] = args.slice(separator + 1);

for (const forward of forwards) {
  const [port, socket] = forward.split('=');
  await listen(Number(port), socket);
}
start();

async function listen(port, socket) {
  const server = createServer({ allowHalfOpen: true }, (inside) => {
    const outside = connect({ path: socket, allowHalfOpen: true });
    inside.on('error', () => outside.destroy());
    outside.on('error', () => inside.destroy());
    inside.once('close', () => outside.destroy());
    outside.once('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
}

function start() {
  const child = spawn(program, rest, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.once('error', (error) => {
    process.stderr.write(`${program}: ${error.message}\n`);
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}
