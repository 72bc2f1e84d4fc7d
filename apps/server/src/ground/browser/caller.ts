/** Where a request comes from. */
export interface Caller {
  /** The value of the pre-session cookie, which distinguishes browsers. */
  browserId: string;
  /** The IP address. */
  address: string;
}
