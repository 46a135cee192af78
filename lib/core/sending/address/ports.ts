/**
 * True if HTTP services commonly use the port: 80, 443, or 1024 and above, except well-known ports
 * of databases and infrastructure. Some of those react to bytes in an HTTP request (Redis,
 * memcached, SMTP), so requests must not reach them even at public addresses. An allow-list would
 * reject real receivers on 3000, 8080, or 8443.
 */
export function isOrdinaryPort(port: number): boolean {
  if (port === 80 || port === 443) return true;
  return Number.isInteger(port) && port >= 1024 && port <= 65_535 && !infrastructurePorts.has(port);
}

/** Like `isOrdinaryPort`, for brokers: their own ports are ordinary too. */
export function isBrokerPort(port: number): boolean {
  return port === 5671 || port === 5672 || isOrdinaryPort(port);
}

/** The same for the brokers of Kafka. */
export function isKafkaPort(port: number): boolean {
  return port === 9092 || port === 9093 || isOrdinaryPort(port);
}

/** None is in 32768–60999, which operating systems use for temporary servers. */
const infrastructurePorts: ReadonlySet<number> = new Set([
  1080, // SOCKS
  1433, // SQL Server
  1434,
  1521, // Oracle
  1719, // H.323
  1720,
  1723, // PPTP
  1883, // MQTT
  2049, // NFS
  2181, // ZooKeeper
  2375, // Docker
  2376,
  2377,
  2379, // etcd
  2380,
  3128, // Squid
  3306, // MySQL
  3389, // RDP
  3659, // apple-sasl, blocked by browsers
  4045, // NFS lock manager
  4190, // ManageSieve
  4222, // NATS
  4369, // Erlang port mapper
  5060, // SIP
  5061,
  5432, // PostgreSQL
  5433,
  5671, // AMQP
  5672,
  5900, // VNC
  5901,
  5984, // CouchDB
  5985, // WinRM
  5986,
  6000, // X11
  6379, // Redis
  6380,
  6432, // PgBouncer
  6443, // Kubernetes
  6566, // SANE
  6665, // IRC
  6666,
  6667,
  6668,
  6669,
  6697,
  7000, // Cassandra
  7001,
  7199,
  8086, // InfluxDB
  8088,
  8300, // Consul
  8301,
  8302,
  8500,
  8600,
  9042, // Cassandra
  9092, // Kafka
  9093,
  9160,
  9200, // Elasticsearch
  9300,
  10080, // Amanda, blocked by browsers
  10250, // kubelet
  10255,
  10256,
  11211, // memcached
  15672, // RabbitMQ
  16379, // Redis cluster
  25672, // RabbitMQ
  26257, // CockroachDB
  26379, // Redis Sentinel
  27017, // MongoDB
  27018,
  27019,
  28015, // RethinkDB
  28017,
]);
