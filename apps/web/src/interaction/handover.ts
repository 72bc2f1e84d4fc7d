import { type FlowState, readFlowState } from './flow-links.ts';

const key = 'candela.handover';

/** Keeps what the next sign-in screen should know where a redirect of the server stands between. */
export const leaveHandover = (state: Pick<FlowState, 'draft' | 'method' | 'changed' | 'done'>): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
  } catch {
    // Storage may be blocked: the identifier is typed again.
  }
};

/** What was left for this screen; it stays until it is dropped. */
export const readHandover = (): FlowState => {
  try {
    return readFlowState(JSON.parse(sessionStorage.getItem(key) ?? 'null'));
  } catch {
    return {};
  }
};

export const dropHandover = (): void => {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // There is none then.
  }
};
