import type { DeskAct } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { AccountStatusService } from '../../care/account-status/account-status.service.ts';
import type { FactorResetOptions } from '../../care/account-status/factor-reset.ts';
import type { SignInLimitOptions } from '../../care/account-status/sign-in-limits.ts';
import type { DataExportService } from '../../care/data-export/data-export.service.ts';
import type { LeavingService } from '../../care/leaving/leaving.service.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { EndingService } from '../../link/ending/ending.service.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';

export interface ActOptions extends SignInLimitOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
}

/** What an act is told besides the account. */
export interface ActInput {
  reason: string;
  contact?: 'phone' | 'email' | undefined;
  authorization?: string | undefined;
  atOnce?: boolean | undefined;
}

export type ActBrand = FactorResetOptions['brand'];

/** A place in which services work: a transaction, and what holds their events and messages until its commit. */
export type ActPlace = Pick<ActOptions, 'db' | 'events' | 'messages'>;

/** The services of people and of operators by which staff act; nothing is written twice. */
export interface ActServices {
  statuses: Pick<AccountStatusService, 'disable' | 'enable'>;
  endings: Pick<EndingService, 'endSessionsFor' | 'withdrawFor'>;
  leavings: Pick<LeavingService, 'leaveFor' | 'keepFor'>;
  dataExports: Pick<DataExportService, 'requestFor'>;
  recoveryWaits: Pick<RecoveryWaitService, 'start' | 'stopPassed'>;
}

/** An act under way: the account is locked, and whoever acts has their role until it ends. */
export interface ActWork extends ActServices {
  trx: Kysely<Database>;
  /** What functions of services take, at work in the transaction. */
  base: ActOptions;
  act: DeskAct;
  member: StaffAtWork;
  record: AccountRecord;
  input: ActInput;
  /** The brand that writes to the person. */
  brand: ActBrand;
}

/** What became of an act, for its entry in the record and its answer. */
export interface ActOutcome {
  subject?: string;
  /** When it takes effect, or is over. */
  at?: Date;
  /** The id of what a second operator is asked. */
  approval?: string;
}
