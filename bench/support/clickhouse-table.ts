// The table that the application log has on ClickHouse where somebody makes it by hand: a column of one type for each field.

export const APPLICATION_TABLE = `_time DateTime64(3, 'UTC'), level LowCardinality(String), service LowCardinality(String),
  host LowCardinality(String), status Nullable(Int64), duration_ms Nullable(Float64), src_ip String, "user" Nullable(String),
  path String, bytes Nullable(Int64), retry Nullable(String), code Nullable(String), http Nullable(String),
  labels Nullable(String), tags Nullable(String), message String, release LowCardinality(Nullable(String)),
  severity LowCardinality(Nullable(String)), EventID Nullable(Int64),
  kubernetes Tuple(namespace LowCardinality(String), pod Tuple(name String, restarts Nullable(Int64),
    labels Tuple(app LowCardinality(String), tier LowCardinality(String), build Nullable(Int64)))),
  event Tuple(provider LowCardinality(String),
    data Tuple(TargetUserName String, IpAddress String, LogonType Nullable(Int64)))`;

export const TABLE_ENGINE =
  'engine = MergeTree order by _time settings fsync_after_insert = 1, fsync_part_directory = 1';

export const INSERT_SETTINGS = {
  async_insert: '0',
  input_format_skip_unknown_fields: '1',
  date_time_input_format: 'best_effort',
  input_format_json_read_objects_as_strings: '1',
  input_format_json_read_arrays_as_strings: '1',
  input_format_json_read_numbers_as_strings: '1',
  input_format_json_read_bools_as_strings: '1',
  input_format_json_defaults_for_missing_elements_in_named_tuple: '1',
  input_format_null_as_default: '1',
};
