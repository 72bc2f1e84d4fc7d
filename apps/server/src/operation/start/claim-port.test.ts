import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { sharesPort } from '../../http/shared-port.ts';
import { claimPort } from './claim-port.ts';

const host = '127.0.0.1';
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process of another server that listens to a port as workers do, by SO_REUSEPORT. */
const startStranger = async (port: number) => {
  const program = `
    const server = require('node:net').createServer();
    server.listen({ port: ${port}, host: '${host}', reusePort: true }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [text] = await once(child.stdout, 'data');
  return { child, port: Number(text) };
};

describe.skipIf(!sharesPort)('a port that workers will share', () => {
  test('is refused while another server has it, although the system would share it', async () => {
    const { port } = await startStranger(0);
    // The danger: nothing stops a second server of the same user.
    await startStranger(port);
    await expect(claimPort({ port, host })).rejects.toThrow(
      `PORT: ${port} on ${host} is in use by another process`,
    );
  });

  test('is waited for while the workers of a first process that was killed give it up', async () => {
    const { child, port } = await startStranger(0);
    const claimed = claimPort({ port, host });
    child.kill('SIGKILL');
    const claim = await claimed;
    await claim.release();
  });

  test('belongs to one of two servers that start at once', async () => {
    const { child, port } = await startStranger(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const first = await claimPort({ port, host });
    let isSecond = false;
    const second = claimPort({ port, host }).then(
      () => 'claimed',
      (error: Error) => error.message,
    );
    void second.then(() => {
      isSecond = true;
    });
    const server = createServer().listen({ port, host, reusePort: true });
    await once(server, 'listening');
    expect(isSecond).toBe(false);
    await first.release();
    expect(await second).toBe(`PORT: ${port} on ${host} is in use by another process`);
    server.close();
  });
});
