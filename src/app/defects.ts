/** Reports of unexpected errors. */
export interface Defects {
  /** `where` names the part of the service. */
  defect(error: unknown, where: string): void;
}
