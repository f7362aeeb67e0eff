# Sidekiq at work: add NAME, retry NAME; `sidekiq -r` of this file works.
require "sidekiq"
require "sidekiq/api"

Sidekiq.configure_client { |config| config.redis = { url: ENV["URL"] } }
Sidekiq.configure_server { |config| config.redis = { url: ENV["URL"] } }

class ChargeJob
  include Sidekiq::Worker
  sidekiq_options queue: ENV["QUEUE"], retry: 0

  def perform(name)
    raise Errno::ECONNREFUSED, "connect(2) for 10.0.0.7:443" unless File.exist?(File.join(ENV["SHOP"], "up"))
    File.open(File.join(ENV["SHOP"], "done"), "a") { |done| done.puts(name) }
  end
end

verb, name = ARGV
ChargeJob.perform_async(name) if verb == "add"
Sidekiq::DeadSet.new.each { |job| job.retry if job.args[0] == name } if verb == "retry"
