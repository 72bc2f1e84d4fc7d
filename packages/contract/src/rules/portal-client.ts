/** The `client_id` of the portal's own sign-in. No registered app has it. */
export const PORTAL_CLIENT_ID = 'candela-portal';
