// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Paid orders with refunds and a seller who is paid on delivery.
contract Orders {
    struct Order {
        address buyer;
        address seller;
        uint256 amount;
        bool isClosed;
    }

    address public arbiter;
    bool public isSetUp;
    Order[] public orders;
    mapping(address => uint256) public due;

    function initialize(address arbiter_) external {
        require(!isSetUp, "done");
        isSetUp = true;
        arbiter = arbiter_;
    }

    function open(address seller) external payable returns (uint256 id) {
        require(msg.value > 0, "nothing");
        id = orders.length;
        orders.push(Order(msg.sender, seller, msg.value, false));
    }

    function deliver(uint256 id) external {
        Order storage order = orders[id];
        require(msg.sender == order.buyer, "buyer");
        require(!order.isClosed, "closed");
        order.isClosed = true;
        due[order.seller] += order.amount;
    }

    function cancel(uint256 id) external {
        Order storage order = orders[id];
        require(msg.sender == order.buyer, "buyer");
        require(!order.isClosed, "closed");
        order.isClosed = true;
        (bool ok, ) = order.buyer.call{value: order.amount}("");
        require(ok, "payment");
    }

    function settle(uint256 id, bool isForBuyer) external {
        require(msg.sender == arbiter, "arbiter");
        Order storage order = orders[id];
        require(!order.isClosed, "closed");
        order.isClosed = true;
        due[isForBuyer ? order.buyer : order.seller] += order.amount;
    }

    function collect() external {
        uint256 amount = due[msg.sender];
        due[msg.sender] = 0;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment");
    }

    function replaceArbiter(address next) external {
        require(msg.sender == arbiter, "arbiter");
        arbiter = next;
    }
}
