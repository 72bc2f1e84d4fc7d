import { type FlowState, readFlowState } from './flow-links.ts';

const key = 'candela.handover';

/** Keeps a state for the next sign-in screen across a redirect of the server. */
export const leaveHandover = (state: Pick<FlowState, 'draft' | 'method' | 'changed' | 'done'>): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(state));
  } catch {
    // Storage may be blocked: the identifier is typed again.
  }
};

/** Reads the state that was left for this screen. It stays until it is dropped. */
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
    // Blocked storage holds no state.
  }
};
