import { expect, test } from 'vitest';
import { noteNameOf } from './change-note.ts';

test('a note that the server wrote has a name, by which it is translated', () => {
  expect(noteNameOf('updated', 'a new secret')).toBe('renewed');
  expect(noteNameOf('updated', 'removed')).toBe('removed');
  expect(noteNameOf('updated', 'webhook https://app.example/signals')).toBeUndefined();
});

test('a secret or a member that is called as a note is shown by its own name', () => {
  expect(noteNameOf('secret_added', 'removed')).toBeUndefined();
  expect(noteNameOf('member_removed', 'added')).toBeUndefined();
});
