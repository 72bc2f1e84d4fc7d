import type { SignInNotices } from '../care/activity-review/sign-in-notices.ts';
import type { DataExportService } from '../care/data-export/data-export.service.ts';
import type { LeavingService } from '../care/leaving/leaving.service.ts';
import type { WaitingChangeService } from '../care/settings/waiting-change.service.ts';
import type { ClientService } from '../clients/client/client.service.ts';
import type { ClientLogoService } from '../clients/client/client-logo.service.ts';
import type { ClientRecords } from '../clients/client-health/client-records.ts';
import type { ServiceCounts } from '../desk/service/service-counts.ts';
import type { IdentityRevocationService } from '../federation/revocation/identity-revocation.service.ts';
import { isClockRight } from '../ground/db/clock.ts';
import type { Connection } from '../ground/db/connect.ts';
import type { EventSink } from '../ground/event/events.ts';
import type { Logger } from '../ground/logger.ts';
import { every, type Loop } from '../ground/loop/every.ts';
import type { LinkEndNotices } from '../link/grant/link-end-notices.ts';
import { rotateDueKeys } from '../link/signing-key/rotate-keys.ts';
import type { RefusedSignIns } from '../person/activity/refused-sign-ins.ts';
import type { DynamicRegistrationService } from '../registration/dynamic-registration/dynamic-registration.service.ts';
import type { Config } from './config/config.ts';
import { createSealing } from './secret-key/seal-secrets.ts';
import { createSweepTurn, type SweepTurn } from './sweep.ts';

export interface BackgroundOptions {
  config: Pick<Config, 'secretKeys' | 'keyRotationDays'>;
  connection: Pick<Connection, 'db'>;
  logger: Logger;
  events: EventSink;
  logos: ClientLogoService;
  clients: Pick<ClientService, 'writeUses'>;
  clientRecords: Pick<ClientRecords, 'flush'>;
  serviceCounts: ServiceCounts;
  registration: Pick<DynamicRegistrationService, 'removeDue'>;
  waitingChanges: WaitingChangeService;
  signInNotices: SignInNotices;
  linkEndNotices: LinkEndNotices;
  refusedSignIns: Pick<RefusedSignIns, 'flush'>;
  leavings: Pick<LeavingService, 'carryOut'>;
  dataExports: Pick<DataExportService, 'prepareDue'>;
  revocations: IdentityRevocationService;
}

export interface Background extends Loop {
  countSweeps: SweepTurn['counts'];
}

const RECORD_SECONDS = 3;
const NOTICE_SECONDS = 5;
const EXPORT_SECONDS = 10;
const MINUTE = 60;
const HOUR = 3_600;

/** Starts what every process that serves does beside its requests; the processes share the work by the database. */
export const startBackground = (options: BackgroundOptions): Background => {
  const { config, connection, logger, events } = options;
  const { logos, clients, clientRecords, registration, waitingChanges, leavings, dataExports } = options;
  const { signInNotices, linkEndNotices, refusedSignIns, serviceCounts, revocations } = options;
  const { db } = connection;
  const { secretKeys, keyRotationDays } = config;
  const warn = (message: string) => (err: unknown) => logger.warn({ err }, message);

  const fetchLogos = async (signal: AbortSignal) => {
    while (!signal.aborted && (await logos.fetchDue(signal)) > 0);
  };
  const rotateKeys = () => rotateDueKeys({ db, secretKeys, events, olderThanDays: keyRotationDays });
  const sweepTurn = createSweepTurn(db, logger);
  /** What ends or tells by a time, and cannot be taken back: the clock of the database may be the wrong one. */
  const byRightClock = (work: (signal: AbortSignal) => Promise<unknown>) => async (signal: AbortSignal) => {
    if (isClockRight()) await work(signal);
  };
  const loops = [
    every(MINUTE, sweepTurn, { onFailure: warn('sweep failed') }),
    every(MINUTE, byRightClock(waitingChanges.carryOut), {
      onFailure: warn('changes that are due were not carried out'),
    }),
    every(NOTICE_SECONDS, signInNotices.sendDue, {
      onFailure: warn('notices of sign-ins were not sent'),
      retrySeconds: MINUTE,
    }),
    every(10 * MINUTE, byRightClock(linkEndNotices.sendDue), {
      atOnce: true,
      onFailure: warn('notices of links that end were not sent'),
    }),
    every(RECORD_SECONDS, refusedSignIns.flush, {
      onFailure: warn('refused sign-ins were not written'),
      retrySeconds: MINUTE,
    }),
    every(MINUTE, byRightClock(leavings.carryOut), {
      onFailure: warn('accounts whose grace is over were not deleted'),
    }),
    every(EXPORT_SECONDS, (signal) => dataExports.prepareDue(signal), {
      onFailure: warn('files with everything about a person were not prepared'),
      retrySeconds: MINUTE,
    }),
    every(MINUTE, (signal) => revocations.carryOut(signal), {
      onFailure: warn('what identity providers issued was not given back'),
    }),
    every(10 * MINUTE, byRightClock(registration.removeDue), {
      onFailure: warn('clients that registered themselves and are due were not deleted'),
    }),
    every(RECORD_SECONDS, clientRecords.flush, {
      onFailure: warn('records of clients were not written'),
      retrySeconds: MINUTE,
    }),
    every(MINUTE, serviceCounts.flush, { onFailure: warn('counts of the service were not written') }),
    every(MINUTE, clients.writeUses, { onFailure: warn('the use of secrets was not noted') }),
    every(MINUTE, fetchLogos, { atOnce: true, onFailure: warn('fetching logos failed') }),
    every(HOUR, byRightClock(rotateKeys), {
      atOnce: true,
      onFailure: warn('rotating the signing keys failed'),
    }),
    // Not at once: whoever put a key in front before all processes knew it can still take it back.
    every(HOUR, createSealing({ db, secretKeys, logger, events }), {
      onFailure: warn('sealing under the newest SECRET_KEY failed'),
    }),
  ];
  return {
    countSweeps: sweepTurn.counts,
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
};
