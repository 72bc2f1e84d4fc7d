import type { ClientErrorKind } from '@candela/contract';

/** What is counted of a client: token responses, those to refreshes, and refused requests by kind. */
export type CountedKind = 'token' | 'refresh' | `error:${ClientErrorKind}`;
