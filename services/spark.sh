# A Spark cluster: a master, workers as processes of their own, and a Connect server as its only application.

start_spark() {
  local workers=${SHOAL_SPARK_WORKERS:-2} home port number pids=()
  home=$(compgen -G "$installed/spark/lib/python3*/site-packages/pyspark")
  local -x SPARK_HOME=$home SPARK_LOCAL_IP=127.0.0.1 SPARK_LOG_DIR=$logs SPARK_DAEMON_MEMORY=256m JAVA_HOME
  local -x SPARK_LOCAL_DIRS=$scratch/spark/local SPARK_WORKER_DIR=$scratch/spark/work
  JAVA_HOME=$(compgen -G '/usr/lib/jvm/java-17-openjdk-*' | head -n 1)
  mkdir -p "$scratch/spark/local" "$scratch/spark/work"

  local master_port
  master_port=$(free_port)
  start spark-master TERM "$home/bin/spark-class" org.apache.spark.deploy.master.Master \
    --host 127.0.0.1 --port "$master_port" --webui-port 0
  await_port spark-master "$master_port" 60
  for ((number = 1; number <= workers; number++)); do
    start "spark-worker-$number" TERM "$home/bin/spark-class" org.apache.spark.deploy.worker.Worker \
      --host 127.0.0.1 --webui-port 0 --cores 1 --memory 1200m "spark://127.0.0.1:$master_port"
    pids+=("${started[-1]}")
  done
  port=$(free_port)
  SPARK_DAEMON_MEMORY=1g
  # An executor that dies is replaced as often as it takes; a task may fail as often as is usual. viewfs://shoal is this
  # machine under a name that a client does not know: a file system of the cluster's own.
  start spark-connect TERM "$home/bin/spark-submit" --class org.apache.spark.sql.connect.service.SparkConnectServer \
    --name shoal-tests --master "spark://127.0.0.1:$master_port" \
    --conf spark.executor.memory=1g --conf spark.executor.cores=1 --conf spark.ui.enabled=false \
    --conf spark.connect.grpc.binding.address=127.0.0.1 --conf spark.connect.grpc.binding.port="$port" \
    --conf spark.sql.warehouse.dir="$scratch/spark/warehouse" --conf spark.sql.shuffle.partitions=4 \
    --conf spark.deploy.maxExecutorRetries=-1 \
    --conf spark.hadoop.fs.viewfs.mounttable.shoal.linkFallback=file:/// spark-internal
  await_port spark-connect "$port" 120
  export SHOAL_TEST_SPARK="sc://127.0.0.1:$port"
  # Executors are their children: a test that kills one finds it there.
  export SHOAL_TEST_SPARK_WORKERS="${pids[*]}"
}
