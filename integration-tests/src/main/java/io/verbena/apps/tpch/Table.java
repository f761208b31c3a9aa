package io.verbena.apps.tpch;

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Nation;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Part;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplier;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.Region;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.Supplier;
import io.trino.tpch.SupplierGenerator;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;

/** The tables, with the specification's names and types; money is exact. */
enum Table {
  REGION("r_regionkey bigint, r_name string, r_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new RegionGenerator(),
          (Region r) -> RowFactory.create(r.getRegionKey(), r.getName(), r.getComment()));
    }
  },

  NATION("n_nationkey bigint, n_name string, n_regionkey bigint, n_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new NationGenerator(),
          (Nation n) ->
              RowFactory.create(n.getNationKey(), n.getName(), n.getRegionKey(), n.getComment()));
    }
  },

  SUPPLIER(
      "s_suppkey bigint, s_name string, s_address string, s_nationkey bigint, s_phone string,"
          + " s_acctbal decimal(15,2), s_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new SupplierGenerator(scale, part, parts),
          (Supplier s) ->
              RowFactory.create(
                  s.getSupplierKey(),
                  s.getName(),
                  s.getAddress(),
                  s.getNationKey(),
                  s.getPhone(),
                  hundredths(s.getAccountBalanceInCents()),
                  s.getComment()));
    }
  },

  CUSTOMER(
      "c_custkey bigint, c_name string, c_address string, c_nationkey bigint, c_phone string,"
          + " c_acctbal decimal(15,2), c_mktsegment string, c_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new CustomerGenerator(scale, part, parts),
          (Customer c) ->
              RowFactory.create(
                  c.getCustomerKey(),
                  c.getName(),
                  c.getAddress(),
                  c.getNationKey(),
                  c.getPhone(),
                  hundredths(c.getAccountBalanceInCents()),
                  c.getMarketSegment(),
                  c.getComment()));
    }
  },

  PART(
      "p_partkey bigint, p_name string, p_mfgr string, p_brand string, p_type string, p_size int,"
          + " p_container string, p_retailprice decimal(15,2), p_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new PartGenerator(scale, part, parts),
          (Part p) ->
              RowFactory.create(
                  p.getPartKey(),
                  p.getName(),
                  p.getManufacturer(),
                  p.getBrand(),
                  p.getType(),
                  p.getSize(),
                  p.getContainer(),
                  hundredths(p.getRetailPriceInCents()),
                  p.getComment()));
    }
  },

  PARTSUPP(
      "ps_partkey bigint, ps_suppkey bigint, ps_availqty int, ps_supplycost decimal(15,2),"
          + " ps_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new PartSupplierGenerator(scale, part, parts),
          (PartSupplier p) ->
              RowFactory.create(
                  p.getPartKey(),
                  p.getSupplierKey(),
                  p.getAvailableQuantity(),
                  hundredths(p.getSupplyCostInCents()),
                  p.getComment()));
    }
  },

  ORDERS(
      "o_orderkey bigint, o_custkey bigint, o_orderstatus string, o_totalprice decimal(15,2),"
          + " o_orderdate date, o_orderpriority string, o_clerk string, o_shippriority int,"
          + " o_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(
          new OrderGenerator(scale, part, parts),
          (Order o) ->
              RowFactory.create(
                  o.getOrderKey(),
                  o.getCustomerKey(),
                  String.valueOf(o.getOrderStatus()),
                  hundredths(o.getTotalPriceInCents()),
                  date(o.getOrderDate()),
                  o.getOrderPriority(),
                  o.getClerk(),
                  o.getShipPriority(),
                  o.getComment()));
    }
  },

  LINEITEM(
      "l_orderkey bigint, l_partkey bigint, l_suppkey bigint, l_linenumber int,"
          + " l_quantity decimal(15,2), l_extendedprice decimal(15,2), l_discount decimal(15,2),"
          + " l_tax decimal(15,2), l_returnflag string, l_linestatus string, l_shipdate date,"
          + " l_commitdate date, l_receiptdate date, l_shipinstruct string, l_shipmode string,"
          + " l_comment string") {
    @Override
    Iterator<Row> rows(double scale, int part, int parts) {
      return mapped(new LineItemGenerator(scale, part, parts), Table::lineItem);
    }
  };

  private final String columns;

  Table(String columns) {
    this.columns = columns;
  }

  /** Name in queries. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  StructType schema() {
    return StructType.fromDDL(columns);
  }

  /** Whether the generator makes it in parts; otherwise all of it is one part. */
  boolean divisible() {
    return this != REGION && this != NATION;
  }

  /**
   * One part of the table.
   *
   * @param part from 1 on
   */
  abstract Iterator<Row> rows(double scale, int part, int parts);

  private static <E> Iterator<Row> mapped(Iterable<E> entities, Function<E, Row> row) {
    return StreamSupport.stream(entities.spliterator(), false).map(row).iterator();
  }

  private static Row lineItem(LineItem l) {
    return RowFactory.create(
        l.getOrderKey(),
        l.getPartKey(),
        l.getSupplierKey(),
        l.getLineNumber(),
        BigDecimal.valueOf(l.getQuantity()),
        hundredths(l.getExtendedPriceInCents()),
        hundredths(l.getDiscountPercent()),
        hundredths(l.getTaxPercent()),
        l.getReturnFlag(),
        l.getStatus(),
        date(l.getShipDate()),
        date(l.getCommitDate()),
        date(l.getReceiptDate()),
        l.getShipInstructions(),
        l.getShipMode(),
        l.getComment());
  }

  private static BigDecimal hundredths(long value) {
    return BigDecimal.valueOf(value, 2);
  }

  private static LocalDate date(int epochDay) {
    return LocalDate.ofEpochDay(epochDay);
  }
}
