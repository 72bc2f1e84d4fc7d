import type { ActivityKind } from './activity-kinds.ts';
import type { ShownAct } from './desk-acts.ts';

/** What happened, as far as a sentence about it needs it. */
interface Told {
  kind: ActivityKind;
  detail?:
    | {
        method?: 'password' | 'code' | 'passkey' | 'provider' | 'second_factor' | undefined;
        contactKind?: 'phone' | 'email' | undefined;
        contact?: string | undefined;
        ended?: { browser: string; os: string } | undefined;
        total?: number | undefined;
        act?: ShownAct | undefined;
      }
    | undefined;
  client?: { name: string } | undefined;
}

/** The key of the sentence about it among the texts of the pages, and the values of its placeholders. */
export const activityText = ({ kind, detail = {}, client }: Told) => {
  const { method = 'second_factor', contactKind = 'email', contact = '', ended, total = 1 } = detail;
  const { act = 'check-contact' } = detail;
  switch (kind) {
    case 'sign_in':
    case 'sign_in_refused':
      return { key: `activity.kinds.${kind}.${method}`, values: {} } as const;
    case 'staff_acted':
      return { key: `activity.kinds.staff_acted.${act}`, values: {} } as const;
    case 'session_ended': {
      const device = ended && [ended.browser, ended.os].filter(Boolean).join(', ');
      return device
        ? ({ key: 'activity.kinds.sessionEnded.there', values: { device } } as const)
        : ({ key: 'activity.kinds.sessionEnded.here', values: {} } as const);
    }
    case 'sessions_ended':
      return { key: `activity.kinds.${kind}`, values: { count: total } } as const;
    case 'identifier_bound':
    case 'identifier_removed':
    case 'identifier_change_waits':
      return {
        key: `activity.kinds.${kind}.${contactKind}`,
        // A number is not broken between its groups.
        values: { contact: contact.replaceAll(' ', '\u00a0') },
      } as const;
    case 'approval_given':
    case 'approval_renewed':
    case 'approval_narrowed':
    case 'approval_withdrawn':
      return { key: `activity.kinds.${kind}`, values: { app: client?.name ?? '' } } as const;
    default:
      return { key: `activity.kinds.${kind}`, values: {} } as const;
  }
};
